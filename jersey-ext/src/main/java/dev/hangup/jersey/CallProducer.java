package dev.hangup.jersey;

import dev.hangup.call.Call;
import dev.hangup.call.Deadline;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;

/**
 * {@code @Inject Call} and {@code @Inject Deadline} in beans of CDI: those of the call that the thread works for, whatever the bean's
 * scope. CDI finds it by the jar's {@code beans.xml}; nothing else knows it.
 */
@Dependent
public class CallProducer {

    /** Asks anew whenever it is asked; on a thread that works for no call it is never cancelled. */
    @Produces
    public Call call() {
        return new InjectedCall(Call::current);
    }

    /** As {@link #call}; without a call there is none. */
    @Produces
    public Deadline deadline() {
        return Deadline.whichever(() -> Call.current().deadline());
    }
}
