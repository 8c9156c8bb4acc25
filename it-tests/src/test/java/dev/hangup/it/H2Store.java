package dev.hangup.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** An embedded H2 database in a file, larger than its cache, so that those who ask read the file themselves. */
final class H2Store implements Store {

    private static final int ROWS = 5_000;
    private static final int TEXT = 400;

    private final String url;
    private final AtomicInteger rows = new AtomicInteger(ROWS);
    private final AtomicInteger written = new AtomicInteger(ROWS);

    H2Store(Path directory) throws SQLException {
        url = "jdbc:h2:file:" + directory.resolve("notes") + ";CACHE_SIZE=64;DB_CLOSE_DELAY=-1";
        execute("create table notes (id int primary key, text varchar not null)");
        execute("insert into notes select x - 1, repeat(cast(x - 1 as varchar), " + TEXT + ") from system_range(1, "
                + ROWS + ")");
    }

    @Override
    public void step() throws SQLException {
        int id = rows.getAndIncrement();
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement insert = connection.prepareStatement("insert into notes values (?, ?)");
                PreparedStatement select =
                        connection.prepareStatement("select id, text from notes where id between ? and ? + 40")) {
            insert.setInt(1, id);
            insert.setString(2, text(id));
            insert.executeUpdate();
            written.incrementAndGet();
            int first = ThreadLocalRandom.current().nextInt(ROWS - 40);
            select.setInt(1, first);
            select.setInt(2, first);
            assertThat(read(select.executeQuery())).isEqualTo(41);
        }
    }

    private static int read(ResultSet rows) throws SQLException {
        int read = 0;
        for (; rows.next(); read++) {
            assertThat(rows.getString(2)).isEqualTo(text(rows.getInt(1)));
        }
        return read;
    }

    private static String text(int id) {
        return String.valueOf(id).repeat(TEXT);
    }

    @Override
    public void check() throws SQLException {
        step();
        execute("shutdown");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            assertThat(read(statement.executeQuery("select id, text from notes")))
                    .isEqualTo(written.get());
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            execute("shutdown immediately");
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }
}
