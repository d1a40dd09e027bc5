package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node.Listeners;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.RealmGrant.Endpoint;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.file.ConfigurationFiles.ReadRealm;
import dev.gatehouse.common.realm.file.ProposedFiles.OneRealm;
import dev.gatehouse.common.realm.yaml.Reached;
import dev.gatehouse.common.realm.yaml.YamlDocument;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Checks a realm's configuration that an administrator of this realm alone proposes: it uses nothing but what {@code gatehouse.yaml}
 * grants the realm, never the listeners of administration and metrics, and nothing of another realm. Names are not looked up; where
 * they lead is checked when the node connects.
 */
final class GrantCheck {

  private static final String GRANTED = "; an administrator of all realms may add it to realms.NAME.";

  private record Refusal(String why, String remedy) {}

  private final RealmGrant grant;
  private final List<Listeners> listeners;
  private final ReadRealm realm;
  private final List<ReadRealm> others;

  /**
   * Creates the check.
   *
   * @param listeners those that the node has, and those that its file says
   * @param others all other realms
   */
  GrantCheck(RealmGrant grant, List<Listeners> listeners, ReadRealm realm, List<ReadRealm> others) {
    this.grant = grant;
    this.listeners = listeners;
    this.realm = realm;
    this.others = others;
  }

  /** Adds the problems to those of the realm's file. */
  void report() {
    List.copyOf(realm.source().reached()).forEach(this::check);
    Set<String> idpHosts = hosts(others, GrantCheck::idpOrigins);
    Set<String> spHosts = hosts(others, GrantCheck::spOrigins);
    realm
        .root()
        .ifPresent(
            root -> {
              if (hosts(List.of(realm), GrantCheck::spOrigins).stream().anyMatch(idpHosts::contains)) {
                root.problem(RealmYaml.SP_KEY, "serves the host of another realm's identity provider", "give it a host of its own");
              }
              if (hosts(List.of(realm), GrantCheck::idpOrigins).stream().anyMatch(spHosts::contains)) {
                root.problem(RealmYaml.IDP_KEY, "has the host of another realm's apps", "give it a host of its own");
              }
            });
  }

  private void check(Reached reached) {
    YamlValue value = reached.value();
    switch (reached.reach()) {
      case HOST -> host(value);
      case UPSTREAM -> server(value);
      case OUTBOUND -> destination(value);
      case NAME_ONLY -> {}
    }
  }

  private void host(YamlValue value) {
    Optional<String> host = value.text().contains("://") ? endpoint(value.text()).map(Endpoint::host) : Optional.of(value.text());
    if (host.filter(grant::permitsHost).isEmpty()) {
      refused(value, "is no host that this realm is granted", grant.hosts(), "hosts");
    }
  }

  private void server(YamlValue value) {
    if (!value.text().equals("none")) {
      endpoint(value.text())
          .ifPresentOrElse(server -> server(value, server), () -> refused(value, "is no server", grant.upstreams(), "upstreams"));
    }
  }

  private void server(YamlValue value, Endpoint asked) {
    boolean isOther =
        others.stream().flatMap(GrantCheck::servers).anyMatch(used -> isSame(used, asked))
            || hosts(others, GrantCheck::spOrigins).contains(asked.host());
    if (!grant.permitsServer(asked)) {
      refused(value, "is no server that this realm is granted", grant.upstreams(), "upstreams");
    } else if (isAdministration(asked, listeners)) {
      value.wrong(value.shown() + " is a listener of this node's administration or metrics", "write the origin where the app listens");
    } else if (isOther) {
      value.wrong(value.shown() + " belongs to an app of another realm", "write the origin where this realm's app listens");
    } else if (isOwnListener(asked) && !grant.namesServer(asked)) {
      value.wrong(value.shown() + " is a listener of this node itself", "write the origin where the app listens");
    }
  }

  private void destination(YamlValue value) {
    if (value.text().contains("://")) {
      refusal(value.text(), grant, listeners, realm.realm())
          .ifPresent(refusal -> value.wrong(value.shown() + " " + refusal.why(), refusal.remedy()));
    }
  }

  /** Returns why the node may not connect there for administrators of that realm alone; empty if it may. */
  static Optional<Problem> destination(ConfigurationFiles files, OneRealm only, Optional<Realm> own, String url) {
    Path file = files.directory().resolve(ConfigurationFiles.NODE);
    Optional<NodeYaml> node = YamlDocument.root(files.source(file), NodeYaml.KEYS).map(NodeYaml::new);
    RealmGrant grant = node.flatMap(read -> Optional.ofNullable(read.grants().get(only.realm()))).orElse(RealmGrant.NONE);
    List<Listeners> listeners = Stream.concat(node.map(read -> read.read().listeners()).stream(), Stream.of(only.running())).toList();
    return refusal(url, grant, listeners, own).map(refusal -> new Problem(file, 0, "url", refusal.why(), refusal.remedy()));
  }

  private static Optional<Refusal> refusal(String url, RealmGrant grant, List<Listeners> listeners, Optional<Realm> own) {
    Optional<Endpoint> destination = endpoint(url);
    if (destination.filter(asked -> isAdministration(asked, listeners)).isPresent()) {
      return Optional.of(new Refusal("is a listener of this node's administration or metrics", "write another address"));
    }
    return destination.filter(asked -> grant.permitsOutbound(asked) || isOwnIdp(asked, own)).isPresent()
        ? Optional.empty()
        : Optional.of(new Refusal("is not where this realm may connect to", granted(grant.outbound(), "outbound")));
  }

  private static void refused(YamlValue value, String why, Collection<?> granted, String key) {
    value.wrong(value.shown() + " " + why, granted(granted, key));
  }

  private static String granted(Collection<?> granted, String key) {
    String all = granted.stream().map(String::valueOf).collect(Collectors.joining(", "));
    String granting = all.isEmpty() ? "nothing is granted" : "granted are " + all;
    return granting + GRANTED + key + " in gatehouse.yaml";
  }

  /** The realm's own identity provider, at a host that is granted. */
  private static boolean isOwnIdp(Endpoint endpoint, Optional<Realm> realm) {
    return realm.stream()
        .flatMap(read -> read.idp().stream())
        .map(idp -> Origin.of(idp.publicUrl()))
        .anyMatch(own -> own.scheme().equals(endpoint.scheme()) && own.port() == endpoint.port() && own.host().equals(endpoint.host()));
  }

  private static boolean isAdministration(Endpoint endpoint, List<Listeners> listeners) {
    return endpoint.address().stream()
        .anyMatch(address -> listeners.stream().anyMatch(all -> all.isAdministration(address, endpoint.port())));
  }

  private boolean isOwnListener(Endpoint endpoint) {
    return endpoint.address().stream()
        .anyMatch(address -> listeners.stream().anyMatch(all -> all.isPublic(address, endpoint.port())));
  }

  private static boolean isSame(Endpoint one, Endpoint other) {
    boolean isSameHost = one.host().equals(other.host()) || one.address().isPresent() && address(one).equals(address(other));
    return one.port() == other.port() && isSameHost;
  }

  /** Returns one address for all spellings of this machine's own. */
  private static Optional<InetAddress> address(Endpoint endpoint) {
    boolean isHere = endpoint.address().filter(a -> a.isAnyLocalAddress() || a.equals(InetAddress.ofLiteral("::1"))).isPresent();
    return isHere ? Optional.of(InetAddress.getLoopbackAddress()) : endpoint.address();
  }

  private static Stream<Endpoint> servers(ReadRealm read) {
    return read.realm().stream()
        .flatMap(realm -> realm.gateway().routes().stream())
        .filter(route -> !route.upstream().isNone())
        .flatMap(route -> route.upstream().servers().stream())
        .map(UpstreamConfig.Server::url)
        .flatMap(url -> endpoint(url.toString()).stream());
  }

  private interface Origins {
    Stream<Origin> of(Realm realm);
  }

  private static Set<String> hosts(List<ReadRealm> realms, Origins origins) {
    return realms.stream()
        .flatMap(read -> read.realm().stream())
        .flatMap(origins::of)
        .map(Origin::host)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Stream<Origin> spOrigins(Realm realm) {
    return realm.sp().stream().flatMap(WholeConfiguration::origins);
  }

  private static Stream<Origin> idpOrigins(Realm realm) {
    return realm.idp().stream().flatMap(idp -> Stream.concat(Stream.of(idp.publicUrl()), idp.artifactNodes().stream())).map(Origin::of);
  }

  /** Returns scheme, host and port; empty if the text is no absolute URL with a host, which its reader reports. */
  private static Optional<Endpoint> endpoint(String text) {
    try {
      URI url = new URI(text);
      if (url.getScheme() == null || url.getHost() == null) {
        return Optional.empty();
      }
      String scheme = url.getScheme().toLowerCase(Locale.ROOT);
      int port = url.getPort() == -1 ? GrantsYaml.usualPort(scheme) : url.getPort();
      return Optional.of(new Endpoint(scheme, url.getHost().toLowerCase(Locale.ROOT), port));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }
}
