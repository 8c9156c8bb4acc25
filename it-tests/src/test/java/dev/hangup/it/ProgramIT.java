package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/** An absent program is a reason to skip, said so that it can be remedied, and never a silent one where it is required. */
final class ProgramIT {

    private final String before = System.getProperty(Program.REQUIRED, "false");

    @AfterEach
    void restore() {
        System.setProperty(Program.REQUIRED, before);
    }

    @Test
    void oneThatIsThereIsFound(@TempDir Path directory) throws Exception {
        Path program = directory.resolve("nginx");
        Files.createFile(program, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThat(Program.NGINX.path(List.of(Path.of("/nowhere"), directory))).isEqualTo(program.toString());
    }

    @Test
    void oneThatIsAbsentIsSkippedWithTheNameOfItsPackage() {
        System.setProperty(Program.REQUIRED, "false");
        assertThatThrownBy(() -> Program.NODE.path(List.of()))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("node")
                .hasMessageContaining("nodejs");
    }

    @Test
    void oneThatIsAbsentAndRequiredFails() {
        System.setProperty(Program.REQUIRED, "true");
        assertThatThrownBy(() -> Program.HAPROXY.path(List.of()))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("haproxy");
    }
}
