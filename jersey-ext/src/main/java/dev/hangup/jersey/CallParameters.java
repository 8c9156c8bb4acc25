package dev.hangup.jersey;

import dev.hangup.call.Call;
import dev.hangup.call.CallScope;
import dev.hangup.call.Deadline;
import java.util.function.Function;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.model.Parameter;
import org.glassfish.jersey.server.spi.internal.ValueParamProvider;
import org.jspecify.annotations.Nullable;

/** Parameters of resource methods that are {@code @Context Call} or {@code @Context Deadline}: the request's own, on whatever thread they are used. */
final class CallParameters implements ValueParamProvider {

    @Override
    public @Nullable Function<ContainerRequest, ?> getValueProvider(Parameter parameter) {
        if (parameter.getSource() != Parameter.Source.CONTEXT) {
            return null;
        }
        return parameter.getRawType() == Call.class
                ? CallParameters::call
                : parameter.getRawType() == Deadline.class
                        ? request -> call(request).deadline()
                        : null;
    }

    private static Call call(ContainerRequest request) {
        CallScope call = RequestCalls.of(request);
        return call == null ? Call.current() : call;
    }

    @Override
    public PriorityType getPriority() {
        return Priority.HIGH;
    }
}
