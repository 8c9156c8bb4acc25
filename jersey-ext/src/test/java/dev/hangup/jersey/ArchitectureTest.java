package dev.hangup.jersey;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What the extension stands on. */
@AnalyzeClasses(packages = "dev.hangup.jersey", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {

    @ArchTest
    static final ArchRule itUsesTheCallAndThePolicyOnly = noClasses()
            .should()
            .dependOnClassesThat(resideInAPackage("dev.hangup..")
                    .and(DescribedPredicate.not(
                            resideInAnyPackage("dev.hangup.call..", "dev.hangup.policy..", "dev.hangup.jersey.."))));

    /** Jersey's own has moved between 3.1 and 4.0, and with it an application's class would not load. */
    @ArchTest
    static final ArchRule itBindsByHk2 = noClasses()
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName("org.glassfish.jersey.internal.inject.AbstractBinder");

    /** Applications without servlets, or without CDI, have neither of the two APIs. */
    @ArchTest
    static final ArchRule servletsAreKnownInOnePlace = noClasses()
            .that()
            .doNotHaveSimpleName("Deployment")
            .should()
            .dependOnClassesThat(resideInAPackage("jakarta.servlet.."));

    @ArchTest
    static final ArchRule cdiIsKnownInOnePlace = noClasses()
            .that()
            .doNotHaveSimpleName("CallProducer")
            .should()
            .dependOnClassesThat(resideInAPackage("jakarta.enterprise.."));
}
