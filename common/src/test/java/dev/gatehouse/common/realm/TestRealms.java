package dev.gatehouse.common.realm;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Realms without files.
 *
 * <pre>{@code
 * Realm realm = TestRealms.demo();
 * Realm other = TestRealms.change(realm).name("other").directLogin(true).withoutSp().realm();
 * Realms realms = new FixedRealms(realm, other);
 * }</pre>
 */
public final class TestRealms {

  public static final String IDP = "http://idp.localhost:8080";
  public static final String APP = "http://app.localhost:8000";
  public static final String IDP_ENTITY = IDP + "/realms/demo";
  public static final String SP_ENTITY = APP + "/.gatehouse/saml/metadata";

  private TestRealms() {}

  /** A realm like the demo's: idp, sp, each the other's partner, and the sample app's routes. */
  public static Realm demo() {
    return new Realm(
        "demo", new Realm.Revision("000000000000"), brand("Gatehouse demo"),
        new KeyConfig(KeyAlgorithm.RSA_2048, Optional.empty()), Optional.of(idp()), Optional.of(sp()),
        Optional.of(directory("localhost", 10389)),
        new Realm.Parties(List.of(
            partner(
                SP_ENTITY,
                SP_ENTITY,
                Map.of("uid", "uid", "cn", "cn", "mail", "mail", "roles", "roles", "groups", "groups")),
            partner(IDP_ENTITY, IDP_ENTITY + "/saml/metadata", Map.of())), List.of(), List.of()),
        new GatewayConfig(
            List.of(
                route("public", "/public/", new Access.Public()),
                route("manager", "/manager/", new Access.RequiresRole(Set.of("manager"))),
                route("app", "/", new Access.Protected()))),
        FederationConfig.IN_DATABASE);
  }

  /** Without logo and links. */
  public static BrandConfig brand(String displayName) {
    return new BrandConfig(
        displayName, "#1f5fa8", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static IdpConfig idp() {
    return new IdpConfig(
        URI.create(IDP),
        false,
        true,
        new SessionTimeouts(Duration.ofMinutes(30), Duration.ofHours(8)),
        new ThrottleConfig(10, 100, Duration.ofMinutes(15)),
        Duration.ofMinutes(5),
        ContractsConfig.FORM_ALONE,
        List.of(URI.create(IDP)),
        OAuthConfig.USUAL, false);
  }

  /** Home {@code http://app.localhost:8000} and its https twin on 8443; unsolicited Responses are on, as in the demo. */
  public static SpConfig sp() {
    return new SpConfig(
        URI.create(APP),
        List.of(new Origin("https", "app.localhost", 8443)),
        List.of(IDP_ENTITY),
        true,
        new SessionTimeouts(Duration.ofMinutes(30), Duration.ofHours(8)),
        new SpConfig.SubjectMapping("uid", "roles", "groups"),
        List.of(),
        List.of(URI.create(APP)));
  }

  /** A directory on loopback, without TLS, with the demo's tree below {@code dc=example,dc=org}. */
  public static DirectoryConfig directory(String host, int port) {
    return new DirectoryConfig(
        List.of(new DirectoryConfig.Server(host, port)),
        DirectoryConfig.Security.PLAIN_LOOPBACK,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        new DirectoryConfig.People("dc=example,dc=org",
        "(&(objectClass=inetOrgPerson)(uid={name}))",
        "entryUUID",
        "uid",
        Map.of("uid", "uid", "cn", "cn", "givenName", "givenName", "sn", "sn", "mail", "mail")),
        new GroupConfig("dc=example,dc=org", "(member={dn})", "cn", Map.of()),
        new DirectoryConfig.Pool(8,
        Duration.ofSeconds(2),
        Duration.ofSeconds(5)));
  }

  /** A partner whose metadata is at a URL; transient NameIDs. */
  public static PartnerConfig partner(String entityId, String metadataUrl, Map<String, String> release) {
    return new PartnerConfig(
        entityId,
        Optional.empty(),
        new MetadataSource.Url(URI.create(metadataUrl), Optional.empty(), Duration.ofHours(1)),
        released(release),
        NameIdFormat.TRANSIENT,
        PartnerConfig.Logout.FRONT,
        PartnerConfig.AsServiceProvider.PLAIN,
        PartnerConfig.AsIdentityProvider.PLAIN, false);
  }

  /** SAML names to our names, without scopes. */
  public static Map<String, Release> released(Map<String, String> release) {
    return release.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> Release.of(entry.getValue())));
  }

  /** A route of {@code app.localhost} to an app on {@code 127.0.0.1:9000}. */
  public static RouteConfig route(String name, String path, Access access) {
    return route(name, path, URI.create("http://127.0.0.1:9000"), access);
  }

  public static RouteConfig route(String name, String path, URI upstream, Access access) {
    return new RouteConfig(
        name, new GatewayConfig.Match(Set.of("app.localhost"), path), upstream, access,
        Map.of("Remote-User", "user", "Remote-Groups", "groups"),
        GatewayConfig.SignOn.USUAL);
  }

  /** Starts a changed copy. */
  public static Change change(Realm realm) {
    return new Change(realm);
  }

  /** A copy under construction; each step returns a new one, {@link #realm} the result. */
  public record Change(Realm realm) {

    public Change name(String name) {
      return copy(
          name, realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change revision(String revision) {
      return copy(
          realm.name(), new Realm.Revision(revision), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change brand(BrandConfig brand) {
      return copy(
          realm.name(), realm.revision(), brand, realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change keys(KeyConfig keys) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), keys, realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change idp(UnaryOperator<IdpConfig> change) {
      return idp(realm.idp().map(change));
    }

    public Change withoutIdp() {
      return idp(Optional.empty());
    }

    private Change idp(Optional<IdpConfig> idp) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), idp, realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change idpUrl(String url) {
      return idp(i -> new IdpConfig(URI.create(url), i.directLogin(), i.unsolicited(), i.session(), i.throttle(),
          i.assertionLife(), i.contracts(), List.of(URI.create(url)), i.oauth(), false));
    }

    public Change directLogin(boolean on) {
      return idp(i -> new IdpConfig(i.publicUrl(), on, i.unsolicited(), i.session(), i.throttle(), i.assertionLife(), i.contracts(),
          i.artifactNodes(), i.oauth(), false));
    }

    /** Unsigned AuthnRequests are refused. */
    public Change signedRequests() {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), i.unsolicited(), i.session(), i.throttle(),
          i.assertionLife(), i.contracts(), i.artifactNodes(), i.oauth(), true));
    }

    /** Metadata lists no key for encryption. */
    public Change withoutPublishedEncryption() {
      KeyConfig keys = new KeyConfig(realm.keys().algorithm(), realm.keys().files(), false);
      return copy(
          realm.name(), realm.revision(), realm.brand(), keys, realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change idpUnsolicited(boolean on) {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), on, i.session(), i.throttle(), i.assertionLife(), i.contracts(),
          i.artifactNodes(), i.oauth(), false));
    }

    public Change idpSession(Duration idle, Duration absolute) {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), i.unsolicited(), new SessionTimeouts(idle, absolute),
          i.throttle(), i.assertionLife(), i.contracts(), i.artifactNodes(), i.oauth(), false));
    }

    /** Sessions of the identity provider are bound to devices. */
    public Change idpAssurance(SessionAssurance assurance) {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), i.unsolicited(),
          new SessionTimeouts(i.session().idle(), i.session().absolute(), assurance), i.throttle(), i.assertionLife(), i.contracts(),
          i.artifactNodes(), i.oauth(), false));
    }

    public Change throttle(int perAccount, int perAddress, Duration window) {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), i.unsolicited(), i.session(),
          new ThrottleConfig(perAccount, perAddress, window), i.assertionLife(), i.contracts(), i.artifactNodes(), i.oauth(), false));
    }

    public Change sp(UnaryOperator<SpConfig> change) {
      return sp(realm.sp().map(change));
    }

    public Change withoutSp() {
      return sp(Optional.empty());
    }

    private Change sp(Optional<SpConfig> sp) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), sp, realm.directory(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    /** Another home and no further origins but these. */
    public Change spUrls(String home, String... others) {
      List<Origin> origins = List.of(others).stream().map(URI::create).map(Origin::of).toList();
      return sp(s -> new SpConfig(URI.create(home), origins, s.identityProviders(), s.unsolicited(), s.session(),
          s.subject(), s.requestedAttributes(), List.of(URI.create(home))));
    }

    public Change identityProvider(String entityId) {
      return sp(s -> new SpConfig(s.publicUrl(), s.otherOrigins(), List.of(entityId), s.unsolicited(), s.session(), s.subject(),
          s.requestedAttributes(), s.artifactNodes()));
    }

    public Change spUnsolicited(boolean on) {
      return sp(s -> new SpConfig(s.publicUrl(), s.otherOrigins(), s.identityProviders(), on, s.session(), s.subject(), s.requestedAttributes(),
          s.artifactNodes()));
    }

    public Change appSession(Duration idle, Duration absolute) {
      return sp(s -> new SpConfig(s.publicUrl(), s.otherOrigins(), s.identityProviders(), s.unsolicited(),
          new SessionTimeouts(idle, absolute), s.subject(), s.requestedAttributes(), s.artifactNodes()));
    }

    public Change directory(DirectoryConfig directory) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), Optional.of(directory),
          realm.parties(), realm.gateway(), realm.federation());
    }

    /** And without the idp, which needs one. */
    public Change withoutDirectory() {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), Optional.empty(), realm.sp(), Optional.empty(),
          realm.parties(), realm.gateway(), realm.federation());
    }

    public Change partners(PartnerConfig... partners) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          new Realm.Parties(List.of(partners), realm.parties().clients(), realm.parties().providers()), realm.gateway(), realm.federation());
    }

    /** One more, in place of the one with the same entity ID. */
    public Change partner(PartnerConfig partner) {
      List<PartnerConfig> all = new ArrayList<>(realm.parties().partners());
      all.removeIf(p -> p.entityId().equals(partner.entityId()));
      all.add(partner);
      return partners(all.toArray(PartnerConfig[]::new));
    }

    public Change federation(FederationConfig federation) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), realm.gateway(), federation);
    }

    public Change contracts(ContractsConfig contracts) {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), i.unsolicited(), i.session(), i.throttle(),
          i.assertionLife(), contracts, i.artifactNodes(), i.oauth(), false));
    }

    public Change identityProviders(String... entityIds) {
      return sp(s -> new SpConfig(s.publicUrl(), s.otherOrigins(), List.of(entityIds), s.unsolicited(), s.session(),
          s.subject(), s.requestedAttributes(), s.artifactNodes()));
    }

    public Change routes(RouteConfig... routes) {
      return gateway(new GatewayConfig(List.of(routes)));
    }

    public Change gateway(GatewayConfig gateway) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          realm.parties(), gateway, realm.federation());
    }

    public Change oauth(OAuthConfig oauth) {
      return idp(i -> new IdpConfig(i.publicUrl(), i.directLogin(), i.unsolicited(), i.session(), i.throttle(),
          i.assertionLife(), i.contracts(), i.artifactNodes(), oauth, false));
    }

    public Change clients(ClientConfig... clients) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          new Realm.Parties(realm.parties().partners(), List.of(clients), realm.parties().providers()), realm.gateway(), realm.federation());
    }

    public Change providers(ProviderConfig... providers) {
      return copy(
          realm.name(), realm.revision(), realm.brand(), realm.keys(), realm.idp(), realm.sp(), realm.directory(),
          new Realm.Parties(realm.parties().partners(), realm.parties().clients(), List.of(providers)), realm.gateway(), realm.federation());
    }

    private static Change copy(
        String name,
        Realm.Revision revision,
        BrandConfig brand,
        KeyConfig keys,
        Optional<IdpConfig> idp,
        Optional<SpConfig> sp,
        Optional<DirectoryConfig> directory,
        Realm.Parties parties,
        GatewayConfig gateway,
        FederationConfig federation) {
      return new Change(new Realm(name, revision, brand, keys, idp, sp, directory, parties, gateway, federation));
    }
  }
}
