package dev.hangup.it.jdbc;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.hibernate.cfg.Configuration;
import org.jdbi.v3.core.Jdbi;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaDialect;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;

/** What applications put over a data source. Each runs some work in a transaction of its own making, as it is meant to be used. */
enum Framework {
    SPRING_DATA_SOURCE,
    SPRING_JDBC,
    SPRING_JPA,
    HIBERNATE,
    JOOQ,
    JDBI;

    /** Runs work, which gets something that runs SQL, and commits if the work returns. */
    void inTransaction(DataSource source, Consumer<Consumer<String>> work) {
        switch (this) {
            case SPRING_DATA_SOURCE -> spring(new DataSourceTransactionManager(source), source, work);
            case SPRING_JDBC -> spring(new JdbcTransactionManager(source), source, work);
            case SPRING_JPA -> {
                try (EntityManagerFactory factory = hibernate(source)) {
                    JpaTransactionManager manager = new JpaTransactionManager(factory);
                    manager.setJpaDialect(new HibernateJpaDialect());
                    EntityManager shared = SharedEntityManagerCreator.createSharedEntityManager(factory);
                    transaction(manager, () -> work.accept(sql -> run(shared, sql)));
                }
            }
            case HIBERNATE -> {
                try (EntityManagerFactory factory = hibernate(source);
                        EntityManager manager = factory.createEntityManager()) {
                    manager.getTransaction().begin();
                    work.accept(sql -> run(manager, sql));
                    manager.getTransaction().commit();
                }
            }
            case JOOQ ->
                DSL.using(source, SQLDialect.POSTGRES)
                        .transaction(inside -> work.accept(sql -> inside.dsl().execute(sql)));
            case JDBI -> Jdbi.create(source).useTransaction(handle -> work.accept(handle::execute));
        }
    }

    private static void spring(PlatformTransactionManager manager, DataSource source, Consumer<Consumer<String>> work) {
        JdbcTemplate template = new JdbcTemplate(source);
        transaction(manager, () -> work.accept(template::execute));
    }

    /** As the interceptor does for a method that returns, and for one that throws a checked exception. */
    private static void transaction(PlatformTransactionManager manager, Runnable work) {
        TransactionStatus status = manager.getTransaction(null);
        work.run();
        manager.commit(status);
    }

    private static EntityManagerFactory hibernate(DataSource source) {
        Configuration configuration = new Configuration();
        configuration.getProperties().put("hibernate.connection.datasource", source);
        return configuration.buildSessionFactory();
    }

    private static void run(EntityManager manager, String sql) {
        if (sql.startsWith("select")) {
            manager.createNativeQuery(sql).getResultList();
        } else {
            manager.createNativeQuery(sql).executeUpdate();
        }
    }
}
