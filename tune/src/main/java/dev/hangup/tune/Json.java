package dev.hangup.tune;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** JSON as plain lists, maps, texts and numbers. Spans are numbers of seconds. */
final class Json {

    private static final JSON PLAIN = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);
    private static final JSON INDENTED = PLAIN.with(JSON.Feature.PRETTY_PRINT_OUTPUT);

    private Json() {}

    /** A value over several lines. */
    static String indented(Object value) {
        return write(INDENTED, value);
    }

    /** A value in one line. */
    static String line(Object value) {
        return write(PLAIN, value);
    }

    private static String write(JSON json, Object value) {
        try {
            return json.asString(value);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads a file of one value.
     *
     * @throws UnreadableInput naming the file, and the line if the text is no JSON
     */
    static Object read(Path file) {
        try {
            return JSON.std.anyFrom(Files.readString(file));
        } catch (NoSuchFileException missing) {
            throw new UnreadableInput(file + ": there is no such file", missing);
        } catch (CharacterCodingException malformed) {
            throw new UnreadableInput(file + ": not UTF-8", malformed);
        } catch (JsonProcessingException malformed) {
            int line = malformed.getLocation() == null
                    ? 1
                    : malformed.getLocation().getLineNr();
            throw new UnreadableInput(
                    file + ", line " + line + ": no JSON: " + malformed.getOriginalMessage(), malformed);
        } catch (IOException failed) {
            throw new UnreadableInput(file + ": " + failed, failed);
        }
    }

    static @Nullable Double seconds(@Nullable Duration span) {
        return span == null ? null : span.toNanos() / 1e9;
    }
}
