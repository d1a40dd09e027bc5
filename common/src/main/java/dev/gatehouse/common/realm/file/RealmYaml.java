package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.FederationConfig;
import dev.gatehouse.common.realm.FederationConfig.Store;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.KeyConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionTimeouts;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.SpConfig.RequestedAttribute;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.realm.SpConfig.TimeBounds;
import dev.gatehouse.common.realm.ThrottleConfig;
import dev.gatehouse.common.realm.otp.VisitorsYaml;
import dev.gatehouse.common.realm.yaml.Durations;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlSource;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads {@code realms/NAME.yaml}. */
final class RealmYaml {

  private static final Section SESSION = new Section();
  private static final Key<Duration> IDLE =
      SESSION.key("idle", Type.duration("1s", "30d"), "30m", "A session that is not used for this time ends.");
  private static final Key<Duration> ABSOLUTE =
      SESSION.key("absolute", Type.duration("1s", "30d"), "8h", "A session ends after this time in any case.");
  private static final Key<SessionAssurance> ASSURANCE = SESSION.key(
      "assurance", Type.choice(SessionAssurance.class), "off",
      "Whether a session counts at the device of its login only: `off`, `observe` (counts and audits) or `enforce`.");

  private static final Section THROTTLE = new Section();
  private static final Key<Integer> PER_ACCOUNT =
      THROTTLE.key(
          "perAccount", Type.integer(1, 1000), "10",
          "Wrong passwords for one account, counted for all unknown browsers together, for each known browser and for each "
              + "OAuth client; also wrong client secrets, counted by client and address.");
  private static final Key<Integer> PER_ADDRESS =
      THROTTLE.key(
          "perAddress", Type.integer(1, 1_000_000), "100",
          "Wrong passwords of unknown browsers at one address (IPv6: /64; a /48 may send ten times as many) for accounts that "
              + "did not log in afterwards.");
  private static final Key<Duration> WINDOW = THROTTLE.key("window", Type.duration("1s", "1d"), "15m",
      "The time within which they count.");

  private static final String PUBLIC_URL_REMEDY = "write the origin that browsers use, like https://id.example.org";
  private static final Section IDP = new Section();
  private static final Key<Origin> IDP_URL =
      IDP.required(
          "publicUrl", Type.OWN_ORIGIN, "https://id.example.org", PUBLIC_URL_REMEDY,
          "The origin that browsers use; http for localhost only. Entity ID and issuer: publicUrl/realms/NAME.");
  private static final Key<Boolean> DIRECT_LOGIN =
      IDP.key("directLogin", Type.BOOL, "false", "Whether POST /realms/NAME/login/direct logs people in without a page.");
  private static final Key<Boolean> IDP_UNSOLICITED =
      IDP.key("unsolicited", Type.BOOL, "true", "Whether sign-on may begin at the idp, at /realms/NAME/saml/init.");
  private static final Key<Void> IDP_SESSION = IDP.section("session", SESSION, "Sessions at the identity provider.");
  private static final Key<Void> GUESSES = IDP.section("throttle", THROTTLE,
      "Numbers of wrong passwords after which further tries are refused.");
  private static final Key<Duration> ASSERTION_LIFE =
      IDP.key("assertionLife", Type.duration("10s", "1h"), "5m", "Life of assertions.");
  private static final Key<Boolean> SIGNED_REQUESTS =
      IDP.key(
          "signedRequests", Type.BOOL, "false",
          "Whether every AuthnRequest must be signed; metadata then says so (WantAuthnRequestsSigned).");
  private static final Key<Void> CONTRACTS = IDP.section("contracts", ContractsYaml.KEYS, "Ways to log in beside the form.");
  private static final Key<Origin> IDP_NODES = artifactNodes(IDP, "idp");
  private static final Key<Void> OAUTH = IDP.section("oauth", OAuthYaml.KEYS, "OAuth 2.0 and OpenID Connect.");

  private static final Section SUBJECT = new Section();
  private static final Key<String> USER = SUBJECT.key("user", Type.NAME, "uid", "The user name.");
  private static final Key<String> ROLES = SUBJECT.key("roles", Type.NAME, "roles", "The roles.");
  private static final Key<String> GROUPS = SUBJECT.key("groups", Type.NAME, "groups", "The groups.");

  private static final Section TIMES = new Section();
  private static final Key<Duration> AHEAD =
      TIMES.key("ahead", Type.duration("0s", "10m"), "60s", "How far IssueInstant and AuthnInstant may be ahead of our clock.");
  private static final Key<Duration> VALIDITY =
      TIMES.key("validity", Type.duration("1m", "30d"), "1d", "How long after IssueInstant a NotOnOrAfter may be.");

  private static final Section SP = new Section();
  private static final Key<Origin> SP_URL =
      SP.required(
          "publicUrl", Type.OWN_ORIGIN, "https://app.example.org", PUBLIC_URL_REMEDY,
          "The origin that browsers use; http for localhost only. Entity ID: publicUrl/.gatehouse/saml/metadata.");
  private static final Key<Origin> OTHER_ORIGINS =
      SP.list("otherOrigins", Type.OWN_ORIGIN, "[]", "Further hosts that share the session, e.g. `[https://wiki.example.org]`.");
  private static final Key<String> IDENTITY_PROVIDER =
      SP.list(
          "identityProvider", Type.ENTITY_ID, "e.g. https://id.example.org/realms/main",
          "Entity ID of a partner or issuer of a provider, or several to choose from; the realm's own idp, if it has one, "
              + "unless configured.");
  private static final Key<Boolean> SP_UNSOLICITED = SP.key("unsolicited", Type.BOOL, "false",
      "Whether responses without a request are accepted.");
  private static final Key<Void> SP_SESSION = SP.section("session", SESSION, "Sessions at the apps.");
  private static final Key<Void> MAPPING = SP.section("subject", SUBJECT, "Names of SAML attributes.");
  private static final Key<Void> BOUNDS = SP.section("times", TIMES, "Limits for the times in messages of identity providers.");
  private static final Key<String> REQUESTED =
      SP.list(
          "requestedAttributes", Type.TEXT, "[]",
          "Attributes that identity providers are asked for, e.g. `[mail, \"uid!\"]`; ! marks a required one.");
  private static final Key<Origin> SP_NODES = artifactNodes(SP, "app");

  private static final Section FEDERATION = new Section();
  private static final Key<Store> STORE =
      FEDERATION.key(
          "store", Type.choice(Store.class), "database",
          "Where names and links are stored; `directory`: in an indexed attribute of the person's entry.");
  private static final Key<String> ATTRIBUTE =
      FEDERATION.key("attribute", Type.LDAP_ATTRIBUTE, "gatehouseFederation",
          "The attribute of a person's entry, with `store: directory`.");

  static final Section KEYS = new Section();
  private static final Key<Void> BRAND_KEY = KEYS.section("brand", BrandYaml.KEYS,
      "The name and appearance of the pages that people see.");
  private static final Key<Void> SIGNING =
      KEYS.section("keys", KeyYaml.KEYS, "The realm's keys; created at the first start and kept in `data`, unless files are named.");
  static final Key<Void> IDP_KEY = KEYS.section("idp", IDP, "The identity provider; needs `directory`.");
  static final Key<Void> SP_KEY = KEYS.section("sp", SP, "The service provider.");
  private static final Key<Void> NAMES =
      KEYS.section("federation", FEDERATION, "Persistent names of people, and links to partners' names.");
  static final Key<Void> DIRECTORY = KEYS.section("directory", DirectoryYaml.KEYS, "People, by LDAP.");
  private static final Key<Void> PARTNERS =
      KEYS.sections("partners", PartnersYaml.KEYS, "Service providers and identity providers of SAML.");
  private static final Key<Void> CLIENTS = KEYS.sections("clients", ClientKeys.KEYS, "Clients of OAuth.");
  private static final Key<Void> PROVIDERS =
      KEYS.sections(
          "providers", ProvidersYaml.KEYS,
          "OpenID providers: people log in there where `sp.identityProvider` names the issuer, and routes take their tokens.");
  private static final Key<Void> RADIUS =
      KEYS.section("radius", RadiusYaml.KEYS, "RADIUS: VPN servers and Wi-Fi gateways ask about passcodes, at `listeners.radius` and `radsec`.");
  private static final Key<Void> VISITORS = KEYS.section("visitors", VisitorsYaml.KEYS, "Other realms of one-time passwords that are trusted, by certificates.");
  private static final Key<YamlValue> ERROR_PAGES =
      KEYS.map("errorPages", Type.FILE, "{}",
          "Error pages like those of a route, for routes without their own and for requests without a route.");
  static final Key<Void> POLICIES = KEYS.sections("policies", PoliciesYaml.KEYS, "Rules that several routes share.");
  private static final Key<Void> ROUTES = KEYS.sections("routes", RouteKeys.KEYS, "The apps; a request that matches no route is denied.");

  private static Key<Origin> artifactNodes(Section keys, String host) {
    return keys.list(
        "artifactNodes", Type.OWN_ORIGIN, "e.g. [https://" + host + "-0.example.org, https://" + host + "-1.example.org]",
        "Origins of the nodes, by `index`; publicUrl unless configured.");
  }

  private final String name;
  private final YamlSource source;
  private final YamlSection root;

  RealmYaml(String name, YamlSource source, YamlSection root) {
    this.name = name;
    this.source = source;
    this.root = root;
  }

  /** Returns the realm as far as it could be read; it may be used only if the source has no problem. */
  Realm read() {
    BrandConfig brand = BrandYaml.read(root.sectionOrEmpty(BRAND_KEY), name);
    KeyConfig keys = new KeyYaml(root.sectionOrEmpty(SIGNING)).read();
    Optional<IdpConfig> idp = root.section(IDP_KEY).flatMap(this::idp);
    Optional<String> ownIdp = idp.map(i -> i.entityId(name));
    Optional<YamlSection> spSection = root.section(SP_KEY);
    Optional<SpConfig> sp = spSection.flatMap(section -> sp(section, ownIdp));
    Optional<DirectoryConfig> directory = root.section(DIRECTORY).flatMap(section -> new DirectoryYaml(section).read());
    List<YamlSection> partnerSections = root.sections(PARTNERS);
    List<PartnerConfig> partners = new PartnersYaml(partnerSections, directory, ownIdp).read();
    List<ClientConfig> clients = new ClientsYaml(root.sections(CLIENTS), hasAuthorities(idp)).read();
    List<YamlSection> providerSections = root.sections(PROVIDERS);
    List<ProviderConfig> providers = new ProvidersYaml(providerSections, ownIdp).read();
    List<YamlSection> routes = root.sections(ROUTES);
    PoliciesYaml policies = new PoliciesYaml(root, routes);
    boolean certificates = idp.flatMap(i -> i.contracts().certificate()).isPresent();
    RoutesYaml places = new RoutesYaml(routes, sp, providers, policies, root.has(DIRECTORY), certificates);
    GatewayConfig gateway = places.read(ResponseYaml.errorPages(root, ERROR_PAGES));
    FederationConfig federation = federation(root.sectionOrEmpty(NAMES), directory);
    missingSections();
    idp.flatMap(i -> i.contracts().passwordReset()).ifPresent(reset -> MailYaml.resetPossible(root, IDP_KEY, directory));
    sp.ifPresent(s -> apart(idp, s));
    // A partner that could not be read has its own problem; a second one at sp would mislead.
    if (partners.size() == partnerSections.size() && providers.size() == providerSections.size()) {
      spSection.ifPresent(section -> sp.ifPresent(s -> identityProvider(section, s, partners, providers)));
      idp.ifPresent(i -> contracts(partnerSections, partners, i.contracts()));
    }
    return new Realm(
        name, source.files().revision(), brand, keys, idp, sp, directory,
        new Realm.Parties(
            partners, clients, providers, root.section(RADIUS).map(RadiusYaml::read),
            root.section(VISITORS).flatMap(section -> VisitorsYaml.read(section, root.has(IDP_KEY), idp))),
        gateway, federation);
  }

  /** Reports missing sections that another section needs. */
  private void missingSections() {
    if (!root.has(IDP_KEY) && !root.has(SP_KEY)) {
      root.problem(IDP_KEY, "is missing, and sp too", "give the realm an idp, an sp, or both");
    }
    if (root.has(IDP_KEY) && !root.has(DIRECTORY)) {
      root.problem(DIRECTORY, "is missing: the idp cannot look people up", "add directory with urls and base");
    }
    if (root.has(CLIENTS) && !root.has(IDP_KEY)) {
      root.problem(CLIENTS, "need an idp that issues tokens", "add idp with publicUrl");
    }
    if (root.has(RADIUS) && !root.has(IDP_KEY)) {
      root.problem(RADIUS, "needs an idp, whose people have tokens", "add idp with publicUrl");
    }
    if (root.has(ROUTES) && !root.has(SP_KEY)) {
      root.problem(ROUTES, "need an sp that logs people in", "add sp with publicUrl");
    }
  }

  private void apart(Optional<IdpConfig> idp, SpConfig sp) {
    Optional<Origin> origin = idp.map(i -> Origin.of(i.publicUrl()));
    if (origin.filter(o -> o.equals(sp.home()) || sp.otherOrigins().contains(o)).isPresent()) {
      root.problem(IDP_KEY, "has the same origin as sp", "give idp.publicUrl an origin of its own");
    }
  }

  /** Checks that the idp offers a partner's required contract; otherwise nobody could log in there. */
  private static void contracts(List<YamlSection> sections, List<PartnerConfig> partners, ContractsConfig offered) {
    for (int i = 0; i < partners.size(); i++) {
      String wanted = partners.get(i).asServiceProvider().contract().orElse("password");
      boolean isOffered =
          switch (wanted) {
            case "basic" -> offered.basic();
            case "certificate" -> offered.certificate().isPresent() || offered.secondFactor() != SecondFactor.OFF;
            case "token" -> offered.token().isPresent() || offered.secondFactor() != SecondFactor.OFF;
            case "passkey" -> offered.passkeys().isPresent() && (offered.token().isPresent() || offered.secondFactor() != SecondFactor.OFF);
            case "totp" -> offered.secondFactor() != SecondFactor.OFF;
            default -> true;
          };
      if (!isOffered) {
        sections
            .get(i)
            .problem(PartnersYaml.CONTRACT, "is " + wanted + ", which the idp does not offer", "turn it on in idp.contracts");
      }
    }
  }

  private static void identityProvider(
      YamlSection section, SpConfig sp, List<PartnerConfig> partners, List<ProviderConfig> providers) {
    for (String wanted : sp.identityProviders()) {
      Optional<ProviderConfig> provider = providers.stream().filter(p -> p.issuer().equals(wanted)).findFirst();
      if (provider.isEmpty() && partners.stream().noneMatch(p -> p.entityId().equals(wanted))) {
        section.problem(
            IDENTITY_PROVIDER,
            "`" + wanted + "` is not a partner of this realm",
            "add a partner with this entityId or a provider with this issuer, or write that of one");
      }
      if (provider.filter(p -> p.client().isEmpty()).isPresent()) {
        section.problem(IDENTITY_PROVIDER, "`" + wanted + "` does not know us: it has no clientId", "add clientId to that provider");
      }
    }
  }

  private Optional<IdpConfig> idp(YamlSection idp) {
    Optional<Origin> publicUrl = idp.find(IDP_URL);
    IdpConfig config =
        new IdpConfig(
            uri(publicUrl), idp.get(DIRECT_LOGIN), idp.get(IDP_UNSOLICITED), session(idp, IDP_SESSION),
            throttle(idp.sectionOrEmpty(GUESSES)), idp.get(ASSERTION_LIFE),
            new ContractsYaml(idp.sectionOrEmpty(CONTRACTS), publicUrl).read(), nodes(idp, IDP_NODES, publicUrl),
            new OAuthYaml(idp.sectionOrEmpty(OAUTH), publicUrl).read(), idp.get(SIGNED_REQUESTS));
    return publicUrl.map(url -> config);
  }

  private static URI uri(Optional<Origin> publicUrl) {
    return URI.create(publicUrl.map(Origin::toString).orElse("https://unread.invalid"));
  }

  private static boolean hasAuthorities(Optional<IdpConfig> idp) {
    return idp.filter(i -> !i.oauth().certificateAuthorities().isEmpty()).isPresent();
  }

  private static List<URI> nodes(YamlSection section, Key<Origin> key, Optional<Origin> publicUrl) {
    List<Origin> nodes = section.all(key);
    return (nodes.isEmpty() ? publicUrl.stream() : nodes.stream()).map(origin -> URI.create(origin.toString())).toList();
  }

  private static FederationConfig federation(YamlSection federation, Optional<DirectoryConfig> directory) {
    Store store = federation.get(STORE);
    if (store == Store.DIRECTORY && directory.isEmpty()) {
      federation.problem(STORE, "is directory, but the realm has no directory", "add directory, or write database");
    } else if (store == Store.DIRECTORY && directory.flatMap(DirectoryConfig::bindDn).isEmpty()) {
      federation.problem(STORE, "is the directory, which nobody may write anonymously", "add directory.bindDn, an account that may write the attribute");
    }
    return new FederationConfig(store, federation.get(ATTRIBUTE));
  }

  private static SessionTimeouts session(YamlSection parent, Key<?> key) {
    YamlSection session = parent.sectionOrEmpty(key);
    Duration idle = session.get(IDLE);
    Duration absolute = session.get(ABSOLUTE);
    if (idle.compareTo(absolute) > 0) {
      session.problem(
          session.has(IDLE) ? IDLE : ABSOLUTE,
          "idle (" + Durations.text(idle) + ") is longer than absolute (" + Durations.text(absolute) + ")",
          "make idle the shorter one");
    }
    return new SessionTimeouts(idle, absolute, session.get(ASSURANCE));
  }

  private static ThrottleConfig throttle(YamlSection throttle) {
    return new ThrottleConfig(throttle.get(PER_ACCOUNT), throttle.get(PER_ADDRESS), throttle.get(WINDOW));
  }

  private Optional<SpConfig> sp(YamlSection sp, Optional<String> ownIdp) {
    Optional<Origin> publicUrl = sp.find(SP_URL);
    List<Origin> others = sp.all(OTHER_ORIGINS).stream().distinct().filter(o -> !publicUrl.equals(Optional.of(o))).toList();
    List<String> identityProviders = identityProviders(sp, ownIdp);
    YamlSection subject = sp.sectionOrEmpty(MAPPING);
    YamlSection times = sp.sectionOrEmpty(BOUNDS);
    SpConfig config =
        new SpConfig(
            uri(publicUrl), others, identityProviders, sp.get(SP_UNSOLICITED), session(sp, SP_SESSION),
            new SubjectMapping(subject.get(USER), subject.get(ROLES), subject.get(GROUPS)), requestedAttributes(sp),
            nodes(sp, SP_NODES, publicUrl), new TimeBounds(times.get(AHEAD), times.get(VALIDITY)));
    return publicUrl.isEmpty() || identityProviders.isEmpty() ? Optional.empty() : Optional.of(config);
  }

  private List<String> identityProviders(YamlSection sp, Optional<String> ownIdp) {
    if (!sp.has(IDENTITY_PROVIDER) && !root.has(IDP_KEY)) {
      sp.problem(IDENTITY_PROVIDER, "is missing", "write the entityId of the partner that logs people in");
    }
    return sp.has(IDENTITY_PROVIDER) ? sp.all(IDENTITY_PROVIDER).stream().distinct().toList() : ownIdp.stream().toList();
  }

  /** Reads {@code mail} as an optional and {@code mail!} as a required attribute. */
  private static List<RequestedAttribute> requestedAttributes(YamlSection sp) {
    return sp.all(REQUESTED).stream()
        .map(text -> new RequestedAttribute(text.replaceFirst("!$", ""), text.endsWith("!")))
        .toList();
  }
}
