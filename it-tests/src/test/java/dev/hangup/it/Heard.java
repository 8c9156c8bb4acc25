package dev.hangup.it;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notes what a listener of an asynchronous request hears. */
class Heard implements AsyncListener {

    final List<String> events = new CopyOnWriteArrayList<>();

    @Override
    public void onComplete(AsyncEvent event) {
        events.add("complete");
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        events.add("timeout");
    }

    @Override
    public void onError(AsyncEvent event) {
        events.add("error");
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        events.add("start");
    }
}
