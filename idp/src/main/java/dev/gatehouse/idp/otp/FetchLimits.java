package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.ClientConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How much of offline days agents may fetch, at this node: by the codes that are made for them, because thirty days cost thirty times what
 * one does. What is fetched to learn whether days still count costs nothing here.
 */
public final class FetchLimits {

  /** Codes of half a minute in a day. */
  private static final double DAY = 2880;

  /** A machine that was set up again, a changed PIN or token: so often somebody's days are fetched from the beginning within a day. */
  private static final int WHOLE = 4;

  private static final Duration PERSON_REFILL = Duration.ofDays(1);

  /** Above so many, those are forgotten that have fetched nothing for a day. */
  private static final int MANY = 20_000;

  private static final Duration BETWEEN = Duration.ofMinutes(1);

  /** Whose limit is used up. */
  public enum Limit {
    AGENT,
    PERSON
  }

  /**
   * A refusal.
   *
   * @param after when it may be tried again
   */
  public record Exceeded(Limit limit, Duration after) {}

  private record Agent(String realm, String id) {}

  private record AgentPerson(String realm, String id, PersonId person) {}

  /** How many days are left to be fetched at a moment; below zero after a fetch that was more than what was left. */
  private record Left(double days, Instant at) {

    Left refilled(Instant now, double most, double perSecond) {
      double seconds = Math.max(0, Duration.between(at, now).toMillis() / 1000.0);
      return new Left(Math.min(most, days + seconds * perSecond), now);
    }

    Left without(double fetched) {
      return new Left(days - fetched, at);
    }
  }

  private final InstantSource clock;
  private final Map<Record, Left> left = new HashMap<>();
  private Instant forgotten = Instant.MIN;

  FetchLimits(InstantSource clock) {
    this.clock = clock;
  }

  /** Counts the codes that are about to be made, or says which limit is used up; then nothing is counted. */
  synchronized Optional<Exceeded> count(String realm, String agent, ClientConfig.Passcodes rights, PersonId person, long codes) {
    double days = codes / DAY;
    if (days == 0) {
      return Optional.empty();
    }
    Instant now = clock.instant();
    double most = WHOLE * (rights.offlineDays() + 1);
    double perSecond = most / PERSON_REFILL.toSeconds();
    AgentPerson one = new AgentPerson(realm, agent, person);
    Left ofPerson = left.getOrDefault(one, new Left(most, now)).refilled(now, most, perSecond);
    if (ofPerson.days() < days) {
      return Optional.of(new Exceeded(Limit.PERSON, seconds((days - ofPerson.days()) / perSecond)));
    }
    double rate = rights.perSecond();
    Agent all = new Agent(realm, agent);
    Left ofAgent = left.getOrDefault(all, new Left(rate, now)).refilled(now, rate, rate);
    // One fetch may be more than a second allows: what follows waits for it.
    if (ofAgent.days() <= 0) {
      return Optional.of(new Exceeded(Limit.AGENT, seconds(-ofAgent.days() / rate)));
    }
    left.put(one, ofPerson.without(days));
    left.put(all, ofAgent.without(days));
    forgetOld(now);
    return Optional.empty();
  }

  private static Duration seconds(double seconds) {
    return Duration.ofSeconds(Math.max(1, (long) Math.ceil(seconds)));
  }

  /** After a day nothing is left of what was fetched. */
  private void forgetOld(Instant now) {
    if (left.size() > MANY && forgotten.isBefore(now.minus(BETWEEN))) {
      forgotten = now;
      left.values().removeIf(one -> one.at().plus(PERSON_REFILL).isBefore(now));
    }
  }
}
