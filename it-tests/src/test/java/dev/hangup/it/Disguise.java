package dev.hangup.it;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;

/**
 * Shows another filter a request that no container has made, so that its watches do not know their own; the application sees the
 * real one.
 */
final class Disguise implements Filter {

    private final Filter deceived;
    private final Class<?> face;
    private final Map<String, Object> lies;

    /**
     * @param face a further interface of the request, whose package its class gets if it is not public
     * @param lies what the request's getters say in place of the truth, by name
     */
    Disguise(Filter deceived, Class<?> face, Map<String, Object> lies) {
        this.deceived = deceived;
        this.face = face;
        this.lies = lies;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        deceived.init(config);
    }

    @Override
    public void destroy() {
        deceived.destroy();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Object masked = Proxy.newProxyInstance(
                Disguise.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class, face},
                (proxy, method, arguments) -> {
                    if (lies.containsKey(method.getName())) {
                        return lies.get(method.getName());
                    }
                    try {
                        return method.invoke(request, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        deceived.doFilter((ServletRequest) masked, response, (inner, guarded) -> chain.doFilter(request, guarded));
    }
}
