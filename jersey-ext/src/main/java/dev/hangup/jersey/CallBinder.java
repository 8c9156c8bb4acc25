package dev.hangup.jersey;

import dev.hangup.call.Call;
import dev.hangup.call.Deadline;
import jakarta.inject.Inject;
import java.lang.annotation.Annotation;
import org.glassfish.hk2.api.ActiveDescriptor;
import org.glassfish.hk2.api.Factory;
import org.glassfish.hk2.api.Injectee;
import org.glassfish.hk2.api.InstantiationService;
import org.glassfish.hk2.utilities.binding.AbstractBinder;
import org.glassfish.jersey.process.internal.RequestScoped;

/**
 * Fields and constructors that HK2 fills. What lives for one request gets that request's call, to be used on any thread; what may live
 * longer gets an {@link InjectedCall}. HK2's own binder: Jersey's has moved between 3.1 and 4.0.
 */
final class CallBinder extends AbstractBinder {
    private final RequestCalls calls;

    CallBinder(RequestCalls calls) {
        this.calls = calls;
    }

    @Override
    protected void configure() {
        bind(calls).to(RequestCalls.class);
        bindFactory(Calls.class).to(Call.class);
        bindFactory(Deadlines.class).to(Deadline.class);
    }

    /** Of each injection anew. */
    static final class Calls implements Factory<Call> {
        private final RequestCalls calls;
        private final InstantiationService point;

        @Inject
        Calls(RequestCalls calls, InstantiationService point) {
            this.calls = calls;
            this.point = point;
        }

        @Override
        public Call provide() {
            return livesForOneRequest(point) ? calls.call() : new InjectedCall(calls::call);
        }

        @Override
        public void dispose(Call call) {}
    }

    static final class Deadlines implements Factory<Deadline> {
        private final RequestCalls calls;
        private final InstantiationService point;

        @Inject
        Deadlines(RequestCalls calls, InstantiationService point) {
            this.calls = calls;
            this.point = point;
        }

        @Override
        public Deadline provide() {
            return livesForOneRequest(point)
                    ? calls.call().deadline()
                    : Deadline.whichever(() -> calls.call().deadline());
        }

        @Override
        public void dispose(Deadline deadline) {}
    }

    private static boolean livesForOneRequest(InstantiationService point) {
        Injectee injectee = point.getInstantiationData().getParentInjectee();
        ActiveDescriptor<?> owner = injectee == null ? null : injectee.getInjecteeDescriptor();
        Class<? extends Annotation> scope = owner == null ? null : owner.getScopeAnnotation();
        return scope == RequestScoped.class;
    }
}
