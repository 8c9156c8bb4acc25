package dev.hangup.tune;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.hangup.call.Treatment;

@AnalyzeClasses(packages = "dev.hangup.tune", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule ofHangupOnlyThePolicy = classes()
            .should()
            .onlyDependOnClassesThat(resideInAnyPackage(
                            "dev.hangup.tune..",
                            "dev.hangup.policy",
                            "java..",
                            "picocli..",
                            "com.fasterxml.jackson..",
                            "org.jspecify..")
                    // What a rule of the policy hands out.
                    .or(type(Treatment.class)));

    @ArchTest
    static final ArchRule readingLogsKnowsNothingOfWhatTheyAreReadFor = noClasses()
            .that()
            .resideInAPackage("dev.hangup.tune.log")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.hangup.tune", "dev.hangup.policy", "picocli..", "com.fasterxml..");
}
