package dev.hangup.tune.log;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipException;

/**
 * One log: a file or the standard input, plain or gzip, which its first bytes tell.
 *
 * @param name what errors call it
 * @param path {@code -} for the standard input
 */
public record Input(String name, Path path) {

    private static final String STANDARD = "-";
    private static final int BUFFER = 1 << 16;

    /** What cannot be opened or read to its end. */
    public static final class Unreadable extends RuntimeException {

        Unreadable(String problem) {
            super(problem);
        }

        Unreadable(String problem, Throwable cause) {
            super(problem, cause);
        }
    }

    /**
     * The logs that arguments name, each once, in order of their names: their order means nothing.
     *
     * @throws Unreadable if a file is not there, or a glob matches none
     */
    public static List<Input> of(List<String> arguments) {
        Map<Path, Input> inputs = new LinkedHashMap<>();
        for (String argument : arguments) {
            if (argument.equals(STANDARD)) {
                inputs.put(Path.of(STANDARD), new Input("standard input", Path.of(STANDARD)));
                continue;
            }
            for (Path file : files(argument)) {
                try {
                    inputs.putIfAbsent(file.toRealPath(), new Input(file.toString(), file));
                } catch (IOException failed) {
                    throw new Unreadable(file + ": cannot be read: " + failed, failed);
                }
            }
        }
        return inputs.values().stream()
                .sorted(java.util.Comparator.comparing(Input::name))
                .toList();
    }

    private static List<Path> files(String argument) {
        try {
            Path file = Path.of(argument);
            if (Files.isDirectory(file)) {
                throw new Unreadable(
                        argument + ": is a directory; name its files, or a glob such as " + argument + "/*.log");
            }
            if (Files.exists(file)) {
                return List.of(file);
            }
            if (argument.matches(".*[*?\\[{].*")) {
                return glob(argument, file);
            }
        } catch (InvalidPathException malformed) {
            throw new Unreadable(argument + ": is no path", malformed);
        }
        throw new Unreadable(argument + ": there is no such file");
    }

    private static List<Path> glob(String argument, Path file) {
        Path directory = file.getParent() == null ? Path.of("") : file.getParent();
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> matching = Files.newDirectoryStream(directory, String.valueOf(file.getFileName()))) {
            matching.forEach(each -> {
                if (Files.isRegularFile(each)) {
                    found.add(each);
                }
            });
        } catch (IOException | java.util.regex.PatternSyntaxException failed) {
            throw new Unreadable(argument + ": matches no file", failed);
        }
        if (found.isEmpty()) {
            throw new Unreadable(argument + ": matches no file");
        }
        return found;
    }

    /** Bytes on disk; 0 if that is not known. */
    public long size() {
        try {
            return isStandard() ? 0 : Files.size(path);
        } catch (IOException unknown) {
            return 0;
        }
    }

    private boolean isStandard() {
        return path.toString().equals(STANDARD);
    }

    /**
     * Hands all of its bytes on, decompressed.
     *
     * @throws Unreadable naming this input, and the line if its compressed data ends early or is damaged
     */
    public void read(Lines lines) {
        lines.begin();
        try (InputStream raw = new Peeking(isStandard() ? System.in : Files.newInputStream(path))) {
            raw.mark(2);
            boolean gzip = raw.read() == 0x1f && raw.read() == 0x8b;
            raw.reset();
            if (gzip) {
                try (InputStream plain = ReadAhead.of(new GzipMembers(raw, BUFFER))) {
                    lines.readAll(plain);
                }
            } else {
                lines.readAll(raw);
            }
        } catch (EOFException cut) {
            throw new Unreadable(name + ", line " + lines.number() + ": the gzip data ends in the middle", cut);
        } catch (ZipException damaged) {
            throw new Unreadable(
                    name + ", line " + lines.number() + ": damaged gzip data: " + damaged.getMessage(), damaged);
        } catch (UncheckedIOException failed) {
            throw new Unreadable(name + ": cannot be read: " + failed.getCause(), failed);
        } catch (IOException failed) {
            throw new Unreadable(name + ": cannot be read: " + failed, failed);
        }
    }

    /** Says that there is more whenever there is: the decompressor asks, to tell whether another member follows. */
    private static final class Peeking extends BufferedInputStream {

        Peeking(InputStream in) {
            super(in, BUFFER);
        }

        @Override
        public synchronized int available() throws IOException {
            if (pos < count) {
                return count - pos;
            }
            mark(1);
            int next = read();
            reset();
            return next < 0 ? 0 : 1;
        }
    }
}
