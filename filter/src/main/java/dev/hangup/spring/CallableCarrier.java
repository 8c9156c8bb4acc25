package dev.hangup.spring;

import dev.hangup.call.CallScope;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * Joins the thread on which Spring runs a returned {@code Callable} to the call. Both methods are called on that thread, the second
 * whenever the first has returned, and before the result is dispatched.
 */
record CallableCarrier(CallScope call) implements CallableProcessingInterceptor {

    /**
     * Attaching comes first: a cancel either finds this thread, or is seen here.
     *
     * @throws dev.hangup.call.CallCancelledException in place of the work, if the call is cancelled by now
     */
    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        call.attach();
        if (call.isCancelled()) {
            call.leave(); // Spring leaves out the second of whoever fails
            call.throwIfCancelled();
        }
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
        call.leave();
    }
}
