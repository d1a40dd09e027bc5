package dev.gatehouse.idp;

import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.common.throttle.GuessThrottle;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Permits by account only, without a window, so that tests can see how endpoints use the answers. */
final class CountingThrottle implements GuessThrottle {

  private final Map<String, Integer> failures = new ConcurrentHashMap<>();

  @Override
  public Admission admit(String realm, String loginName, GuessSource by, ThrottleConfig limits) {
    String who = by instanceof GuessSource.Stranger ? "" : "/" + by;
    return take(realm + "/" + loginName.strip().toLowerCase(Locale.ROOT) + who, limits);
  }

  @Override
  public Optional<Duration> secretsRefused(
      String realm, String clientId, InetAddress address, ThrottleConfig limits) {
    return failures.getOrDefault("secret " + realm + "/" + clientId + address, 0) < limits.perAccount()
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(90));
  }

  @Override
  public Optional<Duration> secretWasWrong(
      String realm, String clientId, boolean known, InetAddress address, ThrottleConfig limits) {
    Optional<Duration> refused = secretsRefused(realm, clientId, address, limits);
    failures.merge("secret " + realm + "/" + clientId + address, 1, Integer::sum);
    return refused;
  }

  @Override
  public Failures failures(String realm, String loginName, String person, ThrottleConfig limits) {
    int passwords = failures.getOrDefault(realm + "/" + loginName, 0);
    return new Failures(passwords, failures.getOrDefault(realm + "//" + person, 0), Optional.empty(), Optional.empty());
  }

  @Override
  public int forget(String realm, String loginName, String person) {
    return Optional.ofNullable(failures.remove(realm + "/" + loginName)).orElse(0)
        + Optional.ofNullable(failures.remove(realm + "//" + person)).orElse(0);
  }

  @Override
  public Admission admitCode(String realm, String person, InetAddress client, ThrottleConfig limits) {
    return take(realm + "//" + person, limits);
  }

  private Admission take(String key, ThrottleConfig limits) {
    if (failures.merge(key, 1, Integer::sum) > limits.perAccount()) {
      failures.merge(key, -1, Integer::sum);
      return new Admission.Refused(true, Duration.ofSeconds(90));
    }
    return new Admission.Admitted() {
      @Override
      public void succeeded() {
        failures.remove(key);
      }

      @Override
      public void failed() {}

      @Override
      public void undecided() {
        failures.merge(key, -1, Integer::sum);
      }
    };
  }
}
