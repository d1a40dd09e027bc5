package dev.gatehouse.idp.agent.server;

import java.net.InetSocketAddress;
import java.time.Duration;

/** One server as the agent has found it: how soon it answers, and until when it is left alone. Callers hold its lock. */
final class RealmServer {

  /** The weight of the newest time in the moving average. */
  private static final double NEWEST = 0.3;

  /** After a request without answer; its probes may be answered all the same. */
  private static final long SHORTEST_SILENCE = Duration.ofSeconds(5).toNanos();

  private static final long LONGEST_SILENCE = Duration.ofSeconds(30).toNanos();

  /** Older times of requests say nothing about now. */
  private static final long MEMORY = Duration.ofMinutes(1).toNanos();

  private final InetSocketAddress address;
  private final int number;
  private long probes;
  private double probeMillis = Double.NaN;
  private double requestMillis = Double.NaN;
  private long lastRequest;
  private long lastHeard;
  private boolean wasHeard;
  private long lastAnswered;
  private boolean hasAnswered;
  private long restsUntil;
  private boolean rests;
  private boolean isSilent;
  private int failures;

  RealmServer(InetSocketAddress address, int number) {
    this.address = address;
    this.number = number;
  }

  /** The place in the configured list. */
  int number() {
    return number;
  }

  InetSocketAddress address() {
    return address;
  }

  /** Returns whether it answered so recently that it is taken to be there. */
  boolean isHeardSince(long nanos) {
    return wasHeard && lastHeard - nanos >= 0;
  }

  /** It answered a probe, whatever it said. */
  void answered(long now) {
    lastAnswered = now;
    hasAnswered = true;
  }

  boolean isAnsweredSince(long nanos) {
    return hasAnswered && lastAnswered - nanos >= 0;
  }

  /** Returns whether nobody waits for it: until a probe in the background was answered, because a probe costs its time. */
  boolean rests() {
    return rests;
  }

  /** Returns whether a probe may end its rest. */
  boolean mayBeWoken(long now) {
    return rests && restsUntil - now <= 0;
  }

  boolean isFailing() {
    return failures > 0;
  }

  void probed(long now, double millis) {
    // The first one makes the connection.
    probeMillis = probes < 2 ? millis : average(probeMillis, millis);
    probes++;
    heard(now);
    if (mayBeWoken(now)) {
      rests = false;
      // Until it decides about a passcode: whoever is silent again rests longer.
      failures = isSilent ? failures : 0;
    }
  }

  void decided(long now, double millis) {
    requestMillis = average(requestMillis, millis);
    lastRequest = now;
    heard(now);
    rests = false;
    isSilent = false;
    failures = 0;
  }

  /** It took nothing: it rests until the next probe is answered. */
  void failed(long now) {
    rest(isSilent && rests ? restsUntil : now);
  }

  /** It may have taken a passcode, and gave no answer. */
  void silent(long now) {
    isSilent = true;
    rest(now + Math.min(LONGEST_SILENCE, SHORTEST_SILENCE << Math.min(failures, 3)));
  }

  private void rest(long until) {
    wasHeard = false;
    rests = true;
    restsUntil = until;
    failures++;
  }

  private void heard(long now) {
    lastHeard = now;
    wasHeard = true;
  }

  /** The moving average of its probes; not a number before the first answer. */
  double probeMillis() {
    return probeMillis;
  }

  double requestMillis(long now) {
    return now - lastRequest > MEMORY ? Double.NaN : requestMillis;
  }

  /**
   * Returns what a request is expected to take.
   *
   * @param unknown stands for the part of a request beyond a probe, if this server had none lately
   */
  double expectedMillis(long now, double unknown) {
    double request = requestMillis(now);
    return (Double.isNaN(probeMillis) ? 1e9 : probeMillis) + (Double.isNaN(request) ? unknown : request);
  }

  private static double average(double before, double newest) {
    return Double.isNaN(before) ? newest : before + NEWEST * (newest - before);
  }

  @Override
  public String toString() {
    return address.getHostString() + ":" + address.getPort();
  }
}
