/**
 * Which deadline and treatment an endpoint has now: the policy, its rules, and the file that they are read from.
 * It knows no servlet, so that the command line can use it, and imports the call alone.
 *
 * <p>Where to find what:
 * <ul>
 *   <li>{@link dev.hangup.policy.Policy} answers which {@link dev.hangup.policy.Rule} a request has. It is immutable;
 *       {@link dev.hangup.policy.PolicyBuilder} makes one in code, from {@link dev.hangup.policy.Settings} and one
 *       {@link dev.hangup.policy.Entry} for each endpoint.
 *   <li>{@code Template} takes an endpoint's name apart and has the order of specificity; {@code EndpointIndex},
 *       {@code PathNode} and {@code SegmentTable} find the template of a request without an allocation.
 *   <li>{@code Windows} knows which window of time is in force, {@code Deadlines} what that means for one endpoint.
 *   <li>{@link dev.hangup.policy.PolicyFile} makes a policy from a file and a filter's parameters, or throws one
 *       {@link dev.hangup.policy.PolicyException} with every {@link dev.hangup.policy.PolicyProblem}.
 *   <li>A file's way in: {@code YamlReader} (text to nodes with their places, the only class that knows the YAML library),
 *       {@code PolicyDocument} (which sections there are), {@code SettingKeys} and {@code Overrides}. A new key is one line
 *       in one of these three; {@code Keys} and {@code Field} do the rest, errors included.
 *   <li>{@link dev.hangup.policy.PolicyOutline}: where the values stand in the text, for tools that rewrite it.
 *   <li>{@link dev.hangup.policy.CallerDeadline}: what callers may declare and who is believed ({@link dev.hangup.policy.Network});
 *       {@link dev.hangup.policy.DeadlineHeaders} reads it, one {@link dev.hangup.policy.DeadlineHeader} for each header, and
 *       {@link dev.hangup.policy.RequestStart} tells how long a request has waited.
 *   <li>{@link dev.hangup.policy.Durations}: how durations are written.
 * </ul>
 */
@NullMarked
package dev.hangup.policy;

import org.jspecify.annotations.NullMarked;
