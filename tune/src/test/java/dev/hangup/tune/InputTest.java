package dev.hangup.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What logs are read from, whole and damaged. */
class InputTest {

    private static final Instant TEN = Instant.parse("2026-11-02T10:00:00Z");

    @TempDir
    Path directory;

    private final LogFile log = new LogFile();

    @BeforeEach
    void fill() {
        Random random = new Random(3);
        for (int i = 0; i < 1_000; i++) {
            int status = random.nextInt(50) == 0 ? 499 : random.nextInt(50) == 0 ? 503 : 200;
            log.add(TEN.plusSeconds(i), "GET /reports/" + i, status, 50L + random.nextInt(3_000));
        }
    }

    private Ran read(Path... files) {
        String[] args = {
            "recommend", "--json", "--format=tomcat", "--template=GET /reports/{id}", "--target=0.9", "--run-by=hour"
        };
        String[] all = Arrays.copyOf(args, args.length + files.length);
        for (int i = 0; i < files.length; i++) {
            all[args.length + i] = files[i].toString();
        }
        return Ran.of(all);
    }

    private Path file(String name, byte[]... parts) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(directory);
        try (OutputStream out = Files.newOutputStream(file)) {
            for (byte[] part : parts) {
                out.write(part);
            }
        }
        return file;
    }

    private byte[] lines(int from, int to, String end) {
        return (String.join(end, log.lines().subList(from, to)) + end).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    @Test
    @DisplayName("case A9: compressed, in parts, with other line ends, marked, in any order: the same result")
    void sameResultHoweverItIsStored() throws IOException {
        byte[] whole = lines(0, 1_000, "\n");
        Ran plain = read(file("plain.log", whole));
        assertThat(plain.code()).isZero();
        assertThat(plain.out()).contains("\"samples\" : 9");
        byte[] mark = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
        byte[] cut = "192.0.2.7 - - [02/Nov/2026:10:".getBytes(StandardCharsets.UTF_8);
        byte[] noEnd = Arrays.copyOf(whole, whole.length - 1);
        List<Ran> others = List.of(
                read(file("a.gz", gzip(whole))),
                read(file(
                        "members.gz",
                        gzip(lines(0, 300, "\n")),
                        gzip(lines(300, 301, "\n")),
                        gzip(lines(301, 1_000, "\n")))),
                read(file("crlf.log", lines(0, 1_000, "\r\n"))),
                read(file("mark.log", mark, whole)),
                read(file("open.log", noEnd)),
                read(file("cut.log", whole, cut)),
                read(file(
                        "blank.log",
                        "\n\r\n".getBytes(StandardCharsets.UTF_8),
                        whole,
                        "\n\n".getBytes(StandardCharsets.UTF_8))),
                read(
                        file("x.2.log", lines(0, 400, "\n")),
                        file("x.1.gz", gzip(lines(400, 700, "\n"))),
                        file("x.log", lines(700, 1_000, "\n"))),
                read(directory.resolve("x.log"), directory.resolve("x.*")),
                read(directory.resolve("x.*log"), directory.resolve("x.1.gz"), directory.resolve("x.2.log")));
        assertThat(others).allSatisfy(other -> assertThat(other).isEqualTo(plain));
    }

    @Test
    @DisplayName("case A9: a mark in front of a line that begins with a literal, and members as short as a line")
    void marksAndShortMembers() throws IOException {
        byte[] mark = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
        byte[] line = "[30/Nov/2026:10:00:05 +0000] 200 0.250\n".getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream members = new ByteArrayOutputStream();
        byte[] member = gzip(line);
        for (int i = 0; i < 8_000; i++) {
            members.write(member);
        }
        String pattern = "--pattern=[$time_local] $status $request_time";
        for (Path log : List.of(file("mark.log", mark, line), file("members.gz", members.toByteArray()))) {
            Ran ran = Ran.of(
                    "recommend",
                    "--by=source",
                    "--source=s",
                    "--max-unparsed=0",
                    "--min-samples=1",
                    pattern,
                    log.toString());
            assertThat(ran.err()).isEmpty();
            assertThat(ran.out())
                    .containsPattern("s +normal +" + (log.toString().endsWith("gz") ? "8000 " : "1 "));
        }
    }

    @Test
    void theStandardInputIsALogToo() throws IOException {
        InputStream before = System.in;
        try {
            Ran plain = read(file("plain.log", lines(0, 1_000, "\n")));
            System.setIn(Files.newInputStream(file("m.gz", gzip(lines(0, 500, "\n")), gzip(lines(500, 1_000, "\n")))));
            assertThat(read(Path.of("-"))).isEqualTo(plain);
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void truncatedGzipNamesFileAndLine() throws IOException {
        byte[] whole = gzip(lines(0, 1_000, "\n"));
        Ran ran = read(file("cut.gz", Arrays.copyOf(whole, whole.length / 2)));
        assertThat(ran.code()).isEqualTo(Tune.UNREADABLE);
        assertThat(ran.err()).contains("cut.gz, line ", "ends in the middle").doesNotContain("\tat ");
        byte[] damaged = whole.clone();
        Arrays.fill(damaged, damaged.length / 2, damaged.length / 2 + 400, (byte) 0x55);
        ran = read(file("damaged.gz", damaged));
        assertThat(ran.code()).isEqualTo(Tune.UNREADABLE);
        assertThat(ran.err()).contains("damaged.gz").doesNotContain("\tat ");
    }

    @Test
    void whatFollowsAMemberAndIsNoneIsNotPassedOver() throws IOException {
        byte[] first = gzip(lines(0, 500, "\n"));
        byte[] second = gzip(lines(500, 1_000, "\n"));
        for (int length : new int[] {1, 9, 18, 19, 40, second.length - 4}) {
            Ran ran = read(file("cut.gz", first, Arrays.copyOf(second, length)));
            assertThat(ran.code()).as("%s bytes", length).isEqualTo(Tune.UNREADABLE);
            assertThat(ran.err()).as("%s bytes", length).contains("cut.gz, line ", "ends in the middle");
        }
        byte[] damaged = second.clone();
        damaged[0] = 'X';
        for (byte[] other : List.of(damaged, lines(500, 1_000, "\n"))) {
            Ran ran = read(file("other.gz", first, other));
            assertThat(ran.code()).isEqualTo(Tune.UNREADABLE);
            assertThat(ran.err())
                    .contains("other.gz, line ", "damaged gzip data")
                    .doesNotContain("\tat ");
        }
        assertThat(read(file("filled.gz", first, second, new byte[512])))
                .isEqualTo(read(file("whole.gz", first, second)));
    }

    @Test
    void whatIsNoLogIsRefusedWithItsFirstLines() throws IOException {
        byte[] noise = new byte[300_000];
        new Random(1).nextBytes(noise);
        byte[] zeros = new byte[100_000];
        byte[] latin = "caf\u00e9\n".repeat(50).getBytes(StandardCharsets.ISO_8859_1);
        byte[] mixed = lines(0, 50, " extra\n");
        for (Path bad : List.of(
                file("noise", noise),
                file("zeros", zeros),
                file("latin", latin),
                file("mixed", lines(0, 100, "\n"), mixed))) {
            Ran ran = read(bad);
            assertThat(ran.code()).as(bad.toString()).isEqualTo(Tune.UNREADABLE);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err())
                    .contains("lines cannot be read", bad + ", line ")
                    .doesNotContain("\tat ", "\u0000", "Exception");
        }
        assertThat(read(file("mixed2", lines(0, 100, "\n"), mixed)).err())
                .contains("50 of 150 lines", "mixed2, line 101: ");
        assertThat(Ran.of(
                                "recommend",
                                "--format=tomcat",
                                "--max-unparsed=40%",
                                directory.resolve("mixed").toString())
                        .code())
                .isZero();
    }

    @Test
    void aFewBadLinesAreCountedAndShown() throws IOException {
        byte[] huge = ("x".repeat(1 << 20) + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] invalid = {'[', (byte) 0xff, (byte) 0xfe, 0, 0, '\n'};
        Ran ran = read(file("few.log", lines(0, 500, "\n"), huge, invalid, lines(500, 1_000, "\n")));
        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("2 of 1002 lines", "line 501: xxxx", "line 502: [??");
        assertThat(ran.err().length()).isLessThan(1_000);
        assertThat(ran.out())
                .isEqualTo(read(file("plain.log", lines(0, 1_000, "\n"))).out());
    }

    @Test
    @DisplayName("case A2: a log without durations is refused with the line to add")
    void withoutDuration() throws IOException {
        String plain = log.lines().get(0).replaceAll(" [0-9]+$", "\n");
        Ran ran = read(file("combined.log", plain.repeat(200).getBytes(StandardCharsets.UTF_8)));
        assertThat(ran.code()).isEqualTo(Tune.UNREADABLE);
        assertThat(ran.err()).contains("no duration field", "<Valve", "%D");
        Ran named = Ran.of(
                "recommend",
                "--format=combined",
                directory.resolve("combined.log").toString());
        assertThat(named.code()).isEqualTo(Tune.USAGE);
        assertThat(named.err()).contains("no duration field", "$request_time", "%D");
    }

    @Test
    void whatIsNotThereIsNamed() throws IOException {
        for (String missing : List.of("nothing.log", "*.nothing", "[")) {
            Ran ran = read(directory.resolve(missing));
            assertThat(ran.code()).isEqualTo(Tune.UNREADABLE);
            assertThat(ran.err()).contains(missing).doesNotContain("Exception");
        }
        assertThat(read(directory).err()).contains("is a directory");
        assertThat(read(file("empty.log")).code()).isEqualTo(Tune.NO_RECOMMENDATION);
        assertThat(read().code()).isEqualTo(Tune.USAGE);
    }
}
