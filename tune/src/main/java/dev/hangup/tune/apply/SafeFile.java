package dev.hangup.tune.apply;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.function.Consumer;

/** A file that is replaced as a whole: whoever reads it at any moment sees all of the old one or all of the new one. */
public final class SafeFile {

    private final Path file;
    private final byte[] bytes;

    private SafeFile(Path file, byte[] bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Reads it; a link is followed, since it is its target that will be replaced, and not the link. */
    public static SafeFile read(Path file) throws IOException {
        Path target = file.toRealPath();
        return new SafeFile(target, Files.readAllBytes(target));
    }

    /** What was read; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /**
     * Puts other bytes in its place, with its mode and its owner. They are on the disk before they have its name.
     *
     * @param check is shown the new file before it has the name, and throws if it is not to have it
     * @throws IOException if the file cannot be replaced, or is no longer what was read; nothing has changed then
     */
    public void replace(byte[] now, Consumer<Path> check) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        Path beside = Files.createTempFile(directory, "." + file.getFileName() + ".", ".tmp");
        try {
            try (FileChannel channel = FileChannel.open(beside, StandardOpenOption.WRITE)) {
                ByteBuffer left = ByteBuffer.wrap(now);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
                takeOver(beside);
                channel.force(true);
            }
            check.accept(beside);
            // Race: a change between this look and the move is lost; whoever wrote it did not look at all.
            if (!Arrays.equals(Files.readAllBytes(file), bytes)) {
                throw new IOException(file + " has changed since it was read; nothing was written, try again");
            }
            Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(beside);
        }
        try (FileChannel entries = FileChannel.open(directory, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private void takeOver(Path beside) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(beside, PosixFileAttributeView.class);
        if (view == null) {
            return; // a file system without owners and modes
        }
        PosixFileAttributes old = Files.readAttributes(file, PosixFileAttributes.class);
        PosixFileAttributes own = view.readAttributes();
        if (!own.owner().equals(old.owner())) {
            view.setOwner(old.owner());
        }
        if (!own.group().equals(old.group())) {
            view.setGroup(old.group());
        }
        view.setPermissions(old.permissions());
    }
}
