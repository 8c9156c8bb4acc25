package dev.hangup;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the packages: they point down and there is no circle. */
@AnalyzeClasses(packages = "dev.hangup", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    private static final DescribedPredicate<JavaClass> OURS = resideInAPackage("dev.hangup..");

    @ArchTest
    static final ArchRule callImportsNoneOfOurs = noClasses()
            .that()
            .resideInAPackage("dev.hangup.call..")
            .should()
            .dependOnClassesThat(OURS.and(DescribedPredicate.not(resideInAPackage("dev.hangup.call.."))))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule watchImportsCallOnly = importsCallOnly("dev.hangup.watch..");

    @ArchTest
    static final ArchRule policyImportsCallOnly = importsCallOnly("dev.hangup.policy..", "dev.hangup.shaded..");

    @ArchTest
    static final ArchRule jdbcImportsCallOnly = importsCallOnly("dev.hangup.jdbc..");

    @ArchTest
    static final ArchRule metricsImportsCallOnly = importsCallOnly("dev.hangup.metrics..");

    @ArchTest
    static final ArchRule theWatcherKnowsNoContainer = noClasses()
            .that()
            .resideInAPackage("dev.hangup.watch")
            .should()
            .dependOnClassesThat(resideInAPackage("dev.hangup.watch.*"))
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule noServletBelowTheFrontDoor = noClasses()
            .that()
            .resideInAnyPackage("dev.hangup.call..", "dev.hangup.policy..", "dev.hangup.jdbc..", "dev.hangup.metrics..")
            .should()
            .dependOnClassesThat(resideInAPackage("jakarta.servlet.."))
            .allowEmptyShould(true);

    /** A wall clock may jump: it says which window is in force, what a proxy's stamp means and when a policy was made, and no more. */
    @ArchTest
    static final ArchRule noWallClockButForWindowsAndStamps = noClasses()
            .that()
            .resideOutsideOfPackage("dev.hangup.policy")
            .and()
            .doNotHaveFullyQualifiedName("dev.hangup.Arrivals")
            .should()
            .callMethodWhere(describe("reads a wall clock", call -> {
                String owner = call.getTargetOwner().getName();
                String name = call.getName();
                return (owner.equals("java.lang.System") && name.equals("currentTimeMillis"))
                        || (owner.startsWith("java.time.") && (name.equals("now") || name.startsWith("system")));
            }));

    /** java.util.logging names the method that logs: {@code lambda$refuse$5} is no place to look for. */
    @ArchTest
    static final ArchRule noLambdaLogs = noClasses()
            .should()
            .callMethodWhere(describe(
                    "logs from a lambda",
                    call -> call.isDeclaredInLambda()
                            && call.getTargetOwner().isEquivalentTo(System.Logger.class)
                            && call.getName().equals("log")));

    @ArchTest
    static final ArchRule noCycles =
            slices().matching("dev.hangup.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    private static ArchRule importsCallOnly(String room, String... also) {
        DescribedPredicate<JavaClass> allowed =
                resideInAPackage(room).or(resideInAPackage("dev.hangup.call..")).or(resideInAnyPackage(also));
        return noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat(OURS.and(DescribedPredicate.not(allowed)))
                .allowEmptyShould(true);
    }
}
