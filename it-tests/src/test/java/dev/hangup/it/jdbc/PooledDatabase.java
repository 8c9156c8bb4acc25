package dev.hangup.it.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.hangup.it.Postgres;
import java.util.function.ToIntFunction;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Connection pools over the real PostgreSQL. */
enum PooledDatabase {
    HIKARI,
    TOMCAT,
    DBCP,
    /** One that Hangup has never heard of. */
    OTHER;

    /** @param active how many of its connections are lent now */
    record Opened(DataSource source, ToIntFunction<DataSource> active, AutoCloseable end) implements AutoCloseable {
        int activeNow() {
            return active.applyAsInt(source);
        }

        @Override
        public void close() throws Exception {
            end.close();
        }
    }

    Opened open(int size) {
        PGSimpleDataSource driver = (PGSimpleDataSource) Postgres.shared().dataSource();
        String url = driver.getURL();
        switch (this) {
            case HIKARI -> {
                HikariDataSource pool = new HikariDataSource();
                pool.setJdbcUrl(url);
                pool.setUsername(driver.getUser());
                pool.setMaximumPoolSize(size);
                return new Opened(pool, any -> pool.getHikariPoolMXBean().getActiveConnections(), pool);
            }
            case TOMCAT -> {
                org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
                pool.setDriverClassName("org.postgresql.Driver");
                pool.setUrl(url);
                pool.setUsername(driver.getUser());
                pool.setMaxActive(size);
                pool.setMaxWait(5_000);
                return new Opened(pool, any -> pool.getActive(), pool::close);
            }
            case DBCP -> {
                BasicDataSource pool = new BasicDataSource();
                pool.setUrl(url);
                pool.setUsername(driver.getUser());
                pool.setMaxTotal(size);
                return new Opened(pool, any -> pool.getNumActive(), pool);
            }
            default -> {
                LittlePool pool = new LittlePool(driver, size);
                return new Opened(pool, any -> pool.active(), () -> {});
            }
        }
    }
}
