package dev.hangup.spring;

import dev.hangup.call.CallerAware;
import dev.hangup.policy.Routes;
import dev.hangup.spring.Endpoints.Mount;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/** The handlers of an application that carry the annotation. */
final class AnnotatedHandlers {
    private final Set<Mount> mounts;
    private final StringBuilder wrong = new StringBuilder();

    AnnotatedHandlers(Set<Mount> mounts) {
        this.mounts = mounts;
    }

    /** @throws IllegalStateException if deadlines are malformed; nothing of theirs is registered */
    void register(ApplicationContext beans, Routes routes) {
        Collection<RequestMappingInfoHandlerMapping> mappings = BeanFactoryUtils.beansOfTypeIncludingAncestors(
                        beans, RequestMappingInfoHandlerMapping.class, true, false)
                .values();
        for (RequestMappingInfoHandlerMapping mapping : mappings) {
            for (Map.Entry<RequestMappingInfo, HandlerMethod> each :
                    mapping.getHandlerMethods().entrySet()) {
                CallerAware annotation = annotation(each.getValue());
                if (annotation != null) {
                    register(each.getKey(), each.getValue(), annotation, routes);
                }
            }
        }
        if (!wrong.isEmpty()) {
            throw new IllegalStateException("this application is not started" + wrong);
        }
        routes.registered();
    }

    private void register(RequestMappingInfo info, HandlerMethod handler, CallerAware annotation, Routes routes) {
        Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
        for (RequestMethod method : methods.isEmpty() ? EnumSet.allOf(RequestMethod.class) : methods) {
            for (String pattern : info.getPatternValues()) {
                for (Mount mount : mounts) {
                    String endpoint = method + " " + Endpoints.join(mount.prefix(), pattern);
                    register(mount.servlet(), endpoint, handler, annotation, routes);
                }
            }
        }
    }

    private void register(
            @Nullable String servlet, String endpoint, HandlerMethod handler, CallerAware annotation, Routes routes) {
        try {
            // Or else it is known when a request has come there.
            boolean unused = servlet == null
                    ? routes.register(endpoint, annotation)
                    : routes.register(servlet, endpoint, annotation);
        } catch (IllegalArgumentException malformed) {
            String problem = "; @CallerAware on " + handler.getBeanType().getName() + "."
                    + handler.getMethod().getName() + ": " + malformed.getMessage();
            if (wrong.indexOf(problem) < 0) {
                wrong.append(problem);
            }
        }
    }

    /** The method's, else its class's. */
    static @Nullable CallerAware annotation(Object handler) {
        if (!(handler instanceof HandlerMethod method)) {
            return AnnotatedElementUtils.findMergedAnnotation(
                    ClassUtils.getUserClass(handler.getClass()), CallerAware.class);
        }
        CallerAware own = AnnotatedElementUtils.findMergedAnnotation(method.getMethod(), CallerAware.class);
        return own == null ? AnnotatedElementUtils.findMergedAnnotation(method.getBeanType(), CallerAware.class) : own;
    }
}
