package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.http.OutboundHttp;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;

/**
 * The ways to the trusted realms, as they are configured now. A changed configuration closes only what it changed; a question that is under
 * way there has no answer then.
 */
final class HomeLinks implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration TOTAL = Duration.ofSeconds(10);
  private static final int MOST_BYTES = 256 << 10;

  private record Links(OtpTrusts trusts, Map<String, HomeLink> byName) {}

  private final BiPredicate<InetAddress, Integer> closed;
  private final InstantSource clock;
  private final Map<String, Links> byRealm = new ConcurrentHashMap<>();

  /** @param closed addresses with ports that nothing connects to */
  HomeLinks(BiPredicate<InetAddress, Integer> closed, InstantSource clock) {
    this.closed = closed;
    this.clock = clock;
  }

  HomeLink to(Realm realm, OtpTrusts trusts, TrustedRealm home) {
    Links known = byRealm.get(realm.name());
    Links links = known != null && known.trusts() == trusts ? known : byRealm.compute(realm.name(), (name, before) -> made(before, trusts));
    return Objects.requireNonNull(links.byName().get(home.name()), home.name());
  }

  private Links made(@org.jspecify.annotations.Nullable Links before, OtpTrusts trusts) {
    if (before != null && before.trusts() == trusts) {
      return before;
    }
    Map<String, HomeLink> former = before == null ? new HashMap<>() : new HashMap<>(before.byName());
    boolean isKeyKept = before != null && before.trusts().key().equals(trusts.key());
    Map<String, HomeLink> links = new HashMap<>();
    for (TrustedRealm home : trusts.realms()) {
      HomeLink kept = former.get(home.name());
      if (kept != null && isKeyKept && kept.home().equals(home)) {
        links.put(home.name(), kept);
        former.remove(home.name());
      } else {
        links.put(home.name(), new HomeLink(home, http(trusts, home), clock));
      }
    }
    former.values().forEach(HomeLink::close);
    return new Links(trusts, Map.copyOf(links));
  }

  private OutboundHttp http(OtpTrusts trusts, TrustedRealm home) {
    Duration connect = home.timeout().compareTo(CONNECT) < 0 ? home.timeout() : CONNECT;
    return new OutboundHttp(
        new OutboundHttp.Limits(connect, TOTAL, MOST_BYTES), PinnedTls.of(trusts.key(), home.document().authorities()), closed);
  }

  @Override
  public void close() {
    byRealm.values().forEach(links -> links.byName().values().forEach(HomeLink::close));
    byRealm.clear();
  }
}
