package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Batch;
import dev.gatehouse.common.analytics.PatternStore;
import dev.gatehouse.common.analytics.RecentLogin;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Logins that are not in the store yet: of each name at an address the last one. For one thread. */
final class PendingLogins {

  /** Of those that failed, and of those that succeeded, so that neither keeps the other out; further ones are left out. */
  static final int MOST = 1000;

  /** More of one network are unusual already, or an office in the morning. */
  static final int MOST_OF_NETWORK = 50;

  private record Key(String realm, String name, String address) {}

  /** Logins with one outcome. */
  private static final class Kept {
    private final Map<Key, RecentLogin> logins = new LinkedHashMap<>();
    private final Map<String, Integer> ofNetworks = new HashMap<>();

    void add(Key key, RecentLogin login) {
      if (logins.containsKey(key)) {
        logins.put(key, login);
      } else if (logins.size() < MOST && ofNetworks.merge(login.realm() + ' ' + login.network(), 1, Integer::sum) <= MOST_OF_NETWORK) {
        logins.put(key, login);
      }
    }
  }

  private Kept failed = new Kept();
  private Kept succeeded = new Kept();

  /** Takes the event of a login. */
  void loggedIn(Instant at, Map<String, String> event) {
    String name = event.getOrDefault("name", "-");
    add(true, at, event, name, event.getOrDefault("person", name));
  }

  /** Takes the event of a login that failed. */
  void refused(Instant at, Map<String, String> event) {
    String name = event.getOrDefault("name", "-");
    if (!name.equals("-")) {
      add(false, at, event, name, name);
    }
  }

  private void add(boolean isSuccess, Instant at, Map<String, String> event, String name, String subject) {
    Optional<Network> network = Network.of(event.getOrDefault("client", ""));
    if (network.isEmpty()) {
      return;
    }
    String address = withoutScope(network.get().address().getHostAddress());
    RecentLogin login =
        new RecentLogin(
            at, event.getOrDefault("realm", "-"), isSuccess, subject, name, address, network.get().narrow(), network.get().wide());
    (isSuccess ? succeeded : failed).add(new Key(login.realm(), login.name(), address), login);
  }

  /** The interface of a link-local address exists on one machine only. */
  private static String withoutScope(String address) {
    int scope = address.indexOf('%');
    return scope < 0 ? address : address.substring(0, scope);
  }

  /** Returns all and begins anew. */
  List<RecentLogin> take() {
    List<RecentLogin> taken = new ArrayList<>(failed.logins.values());
    taken.addAll(succeeded.logins.values());
    failed = new Kept();
    succeeded = new Kept();
    return taken;
  }

  /** Removes those of a person. */
  void forget(PatternStore.Erased person) {
    failed.logins.values().removeIf(login -> isOf(login, person));
    succeeded.logins.values().removeIf(login -> isOf(login, person));
  }

  /** Returns the batch without the logins of a person. */
  static Batch without(PatternStore.Erased person, Batch batch) {
    List<RecentLogin> others = batch.logins().stream().filter(login -> !isOf(login, person)).toList();
    return new Batch(batch.number(), batch.followed(), batch.minutes(), others);
  }

  private static boolean isOf(RecentLogin login, PatternStore.Erased person) {
    return login.realm().equals(person.realm())
        && (login.subject().equals(RecentLogin.storable(person.id()))
            || login.name().equalsIgnoreCase(RecentLogin.storable(person.id()))
            || login.name().equalsIgnoreCase(RecentLogin.storable(person.name())));
  }
}
