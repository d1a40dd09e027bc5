package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.throttle.LoginNames;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Asks realms whether they know a name, all at the same time. Whoever types invented names here must not make this node ask twenty others
 * each time: so many names a second are sought, and one that nobody knows is not sought again for a minute.
 */
final class HomeSearch {

  private static final int NAMES_PER_SECOND = 20;
  private static final int MOST_UNKNOWN = 10_000;
  private static final Duration UNKNOWN_FOR = Duration.ofMinutes(1);

  /**
   * What the realms answered.
   *
   * @param known those that know the name; what they say decides nothing while others are silent, because one of those may be the home
   * @param silent those that did not answer, or were not asked because too many names are sought
   */
  record Found(List<TrustedRealm> known, List<TrustedRealm> silent) {}

  private record Name(String realm, String name) {}

  private record Second(long number, int sought) {}

  private final HomeLinks links;
  private final InstantSource clock;
  private final Map<String, Second> seconds = new ConcurrentHashMap<>();
  private final Map<Name, Instant> unknown =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Name, Instant> eldest) {
          return size() > MOST_UNKNOWN;
        }
      };

  HomeSearch(HomeLinks links, InstantSource clock) {
    this.links = links;
    this.clock = clock;
  }

  /** Returns what the realms answer, or answered in the last minute if nobody knew the name. */
  Found whoKnows(Realm realm, OtpTrusts trusts, List<TrustedRealm> possible, String typed, String visit) {
    Name name = new Name(realm.name(), LoginNames.normal(typed));
    if (isUnknown(name)) {
      return new Found(List.of(), List.of());
    }
    if (!admits(realm)) {
      return new Found(List.of(), possible);
    }
    Map<TrustedRealm, Optional<Boolean>> answers = asked(realm, trusts, possible, typed, visit);
    List<TrustedRealm> known = possible.stream().filter(home -> answers.getOrDefault(home, Optional.empty()).orElse(false)).toList();
    List<TrustedRealm> silent = possible.stream().filter(home -> answers.getOrDefault(home, Optional.empty()).isEmpty()).toList();
    if (known.isEmpty() && silent.isEmpty()) {
      keepUnknown(name);
    }
    return new Found(known, silent);
  }

  private Map<TrustedRealm, Optional<Boolean>> asked(
      Realm realm, OtpTrusts trusts, List<TrustedRealm> possible, String typed, String visit) {
    Map<TrustedRealm, Optional<Boolean>> answers = new ConcurrentHashMap<>();
    List<Callable<Optional<Boolean>>> questions = new ArrayList<>();
    for (TrustedRealm home : possible) {
      questions.add(
          () -> {
            Optional<Boolean> answer = links.to(realm, trusts, home).knows(typed, visit);
            answers.put(home, answer);
            return answer;
          });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Optional<Boolean>> answer : threads.invokeAll(questions)) {
        answer.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a realm could not be asked", e);
    }
    return answers;
  }

  private boolean admits(Realm realm) {
    long now = clock.instant().getEpochSecond();
    Second counted =
        seconds.compute(
            realm.name(),
            (name, before) -> before == null || before.number() != now ? new Second(now, 1) : new Second(now, before.sought() + 1));
    return counted.sought() <= NAMES_PER_SECOND;
  }

  private boolean isUnknown(Name name) {
    Instant now = clock.instant();
    synchronized (unknown) {
      Instant end = unknown.get(name);
      return end != null && now.isBefore(end);
    }
  }

  private void keepUnknown(Name name) {
    Instant end = clock.instant().plus(UNKNOWN_FOR);
    synchronized (unknown) {
      unknown.remove(name);
      unknown.put(name, end);
    }
  }
}
