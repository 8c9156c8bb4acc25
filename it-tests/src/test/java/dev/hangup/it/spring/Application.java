package dev.hangup.it.spring;

import dev.hangup.it.Site;
import dev.hangup.spring.CallerAwareInterceptor;
import jakarta.servlet.ServletRegistration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** Applications of Spring MVC, with nothing of Hangup's but the one bean. */
@Configuration
@EnableWebMvc
class Application {

    @Bean
    CallerAwareInterceptor callerAwareInterceptor() {
        return new CallerAwareInterceptor();
    }

    /** The application with these controllers, as the servlet of a pattern. */
    static Site site(String pattern, Class<?>... controllers) {
        return new Site().initializer(context -> {
            AnnotationConfigWebApplicationContext beans = new AnnotationConfigWebApplicationContext();
            beans.register(Application.class);
            beans.register(controllers);
            ServletRegistration.Dynamic servlet = context.addServlet("spring", new DispatcherServlet(beans));
            servlet.setLoadOnStartup(1);
            servlet.setAsyncSupported(true);
            servlet.addMapping(pattern);
        });
    }
}
