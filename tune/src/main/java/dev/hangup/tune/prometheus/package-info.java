/**
 * A fleet's histograms, from a server that speaks the HTTP API of Prometheus: {@link dev.hangup.tune.prometheus.QueryApi} asks,
 * {@link dev.hangup.tune.prometheus.Stretches} says for which spans of time, and {@link dev.hangup.tune.prometheus.Buckets} holds
 * what a histogram counted in them.
 */
@NullMarked
package dev.hangup.tune.prometheus;

import org.jspecify.annotations.NullMarked;
