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
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionLife;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.realm.SpConfig.RequestedAttribute;
import dev.gatehouse.common.realm.SpConfig.SubjectMapping;
import dev.gatehouse.common.realm.SpConfig.TimeBounds;
import dev.gatehouse.common.realm.ThrottleConfig;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code realms/NAME.yaml}. */
final class RealmYaml {

  private static final int LARGEST_LOGO = 64 << 10;
  private static final Map<String, String> IMAGES =
      Map.of("png", "image/png", "svg", "image/svg+xml", "jpg", "image/jpeg", "jpeg", "image/jpeg", "webp",
          "image/webp");

  private static final Map<String, Store> STORES = Map.of("database", Store.DATABASE, "directory", Store.DIRECTORY);

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
    BrandConfig brand = brand(root.sectionOrEmpty("brand"));
    KeyConfig keys = new KeyYaml(root.sectionOrEmpty("keys")).read();
    Optional<IdpConfig> idp = root.section("idp").flatMap(this::idp);
    Optional<String> ownIdp = idp.map(i -> i.entityId(name));
    Optional<YamlSection> spSection = root.section("sp");
    Optional<SpConfig> sp = spSection.flatMap(section -> sp(section, ownIdp));
    Optional<DirectoryConfig> directory =
        root.section("directory").flatMap(section -> new DirectoryYaml(section).read());
    List<YamlSection> partnerSections = root.sections("partners");
    List<PartnerConfig> partners = new PartnersYaml(partnerSections, directory, ownIdp).read();
    List<ClientConfig> clients = new ClientsYaml(root.sections("clients"), hasAuthorities(idp)).read();
    List<YamlSection> providerSections = root.sections("providers");
    List<ProviderConfig> providers = new ProvidersYaml(providerSections, ownIdp).read();
    List<YamlSection> routes = root.sections("routes");
    PoliciesYaml policies = new PoliciesYaml(root, routes);
    boolean certificates = idp.flatMap(i -> i.contracts().certificate()).isPresent();
    RoutesYaml places = new RoutesYaml(routes, sp, providers, policies, root.has("directory"), certificates);
    GatewayConfig gateway = places.read(ResponseYaml.errorPages(root));
    FederationConfig federation = federation(root.sectionOrEmpty("federation"), directory);
    source.finish();
    missingSections();
    sp.ifPresent(s -> apart(idp, s));
    // A partner that could not be read has its own problem; a second one at sp would mislead.
    if (partners.size() == partnerSections.size() && providers.size() == providerSections.size()) {
      spSection.ifPresent(section -> sp.ifPresent(s -> identityProvider(section, s, partners, providers)));
      idp.ifPresent(i -> contracts(partnerSections, partners, i.contracts()));
    }
    return new Realm(
        name, source.files().revision(), brand, keys, idp, sp, directory, partners, gateway, federation, clients, providers);
  }

  /** Reports missing sections that another section needs. */
  private void missingSections() {
    if (!root.has("idp") && !root.has("sp")) {
      root.problem("idp", "is missing, and sp too", "give the realm an idp, an sp, or both");
    }
    if (root.has("idp") && !root.has("directory")) {
      root.problem("directory", "is missing: the idp has nowhere to look people up",
          "add directory with urls and base");
    }
    if (root.has("clients") && !root.has("idp")) {
      root.problem("clients", "need an idp that issues tokens", "add idp with publicUrl");
    }
    if (root.has("routes") && !root.has("sp")) {
      root.problem("routes", "need an sp that logs people in", "add sp with publicUrl");
    }
  }

  private void apart(Optional<IdpConfig> idp, SpConfig sp) {
    Optional<Origin> origin = idp.map(i -> Origin.of(i.publicUrl()));
    if (origin.filter(o -> o.equals(sp.home()) || sp.otherOrigins().contains(o)).isPresent()) {
      root.problem("idp", "has the same origin as sp", "give idp.publicUrl an origin of its own");
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
            case "totp" -> offered.secondFactor() != SecondFactor.OFF;
            default -> true;
          };
      if (!isOffered) {
        sections
            .get(i)
            .problem("contract", "is " + wanted + ", which the idp does not offer", "turn it on in idp.contracts");
      }
    }
  }

  private static void identityProvider(
      YamlSection section, SpConfig sp, List<PartnerConfig> partners, List<ProviderConfig> providers) {
    for (String wanted : sp.identityProviders()) {
      Optional<ProviderConfig> provider = providers.stream().filter(p -> p.issuer().equals(wanted)).findFirst();
      if (provider.isEmpty() && partners.stream().noneMatch(p -> p.entityId().equals(wanted))) {
        section.problem(
            "identityProvider",
            "`" + wanted + "` is not a partner of this realm",
            "add a partner with this entityId or a provider with this issuer, or write that of one");
      }
      if (provider.filter(p -> p.client().isEmpty()).isPresent()) {
        section.problem(
            "identityProvider", "`" + wanted + "` does not know us: it has no clientId", "add clientId to that provider");
      }
    }
  }

  private BrandConfig brand(YamlSection brand) {
    return new BrandConfig(
        brand.read("displayName", name, YamlValue::string),
        brand.read("accent", "#1f5fa8", YamlValue::colour),
        brand.value("logo").flatMap(RealmYaml::logo),
        brand.value("description").flatMap(YamlValue::string),
        brand.value("privacyUrl").flatMap(YamlValue::url),
        brand.value("informationUrl").flatMap(YamlValue::url));
  }

  private static Optional<String> logo(YamlValue value) {
    String file = value.text().toLowerCase(Locale.ROOT);
    Optional<String> type = Optional.ofNullable(IMAGES.get(file.substring(file.lastIndexOf('.') + 1)));
    if (type.isEmpty()) {
      return value.wrong(value.shown() + " is not an image that browsers know",
          "name a .png, .svg, .jpg or .webp file");
    }
    return value
        .content()
        .flatMap(
            image ->
                image.length > LARGEST_LOGO
                    ? value.wrong("is larger than 64 KB: " + value.shownPath(), "make the image smaller")
                    : Optional.of("data:" + type.get() + ";base64," + Base64.getEncoder().encodeToString(image)));
  }

  private Optional<IdpConfig> idp(YamlSection idp) {
    Optional<Origin> publicUrl = publicUrl(idp);
    boolean directLogin = idp.read("directLogin", false, YamlValue::bool);
    boolean unsolicited = idp.read("unsolicited", true, YamlValue::bool);
    SessionLife session = session(idp);
    ThrottleConfig throttle = throttle(idp.sectionOrEmpty("throttle"));
    Duration life =
        idp.read(
            "assertionLife", Duration.ofMinutes(5), v -> v.duration(Duration.ofSeconds(10), Duration.ofHours(1)));
    ContractsConfig contracts = new ContractsYaml(idp.sectionOrEmpty("contracts"), publicUrl).read();
    List<URI> nodes = artifactNodes(idp, publicUrl);
    OAuthConfig oauth = new OAuthYaml(idp.sectionOrEmpty("oauth"), publicUrl).read();
    boolean signedRequests = idp.read("signedRequests", false, YamlValue::bool);
    return publicUrl.map(
        url ->
            new IdpConfig(
                URI.create(url.toString()),
                directLogin,
                unsolicited,
                session,
                throttle,
                life,
                contracts,
                nodes,
                oauth,
                signedRequests));
  }

  private static boolean hasAuthorities(Optional<IdpConfig> idp) {
    return idp.filter(i -> !i.oauth().certificateAuthorities().isEmpty()).isPresent();
  }

  private static List<URI> artifactNodes(YamlSection section, Optional<Origin> publicUrl) {
    List<Origin> nodes =
        section.values("artifactNodes").stream().flatMap(value -> value.origin().stream()).toList();
    return (nodes.isEmpty() ? publicUrl.stream() : nodes.stream())
        .map(origin -> URI.create(origin.toString()))
        .toList();
  }

  private static FederationConfig federation(YamlSection federation, Optional<DirectoryConfig> directory) {
    Store store = federation.read("store", Store.DATABASE, v -> v.choice(STORES));
    if (store == Store.DIRECTORY && directory.isEmpty()) {
      federation.problem("store", "is the directory, which this realm has not", "add directory, or write database");
    } else if (store == Store.DIRECTORY && directory.flatMap(DirectoryConfig::bindDn).isEmpty()) {
      federation.problem("store", "is the directory, which nobody may write anonymously",
          "add directory.bindDn, an account that may write the attribute");
    }
    return new FederationConfig(
        store,
        federation.read("attribute", FederationConfig.IN_DATABASE.attribute(), YamlValue::ldapAttribute));
  }

  private static Optional<Origin> publicUrl(YamlSection section) {
    return section.required("publicUrl", YamlValue::origin,
        "write the origin that browsers use, like https://id.example.org");
  }

  private static SessionLife session(YamlSection parent) {
    YamlSection session = parent.sectionOrEmpty("session");
    Duration idle =
        session.read("idle", Duration.ofMinutes(30), v -> v.duration(Duration.ofSeconds(1), Duration.ofDays(30)));
    Duration absolute =
        session.read("absolute", Duration.ofHours(8), v -> v.duration(Duration.ofSeconds(1), Duration.ofDays(30)));
    if (idle.compareTo(absolute) > 0) {
      session.problem(
          session.has("idle") ? "idle" : "absolute",
          "idle (" + Durations.text(idle) + ") is longer than absolute (" + Durations.text(absolute) + ")",
          "make idle the shorter one");
    }
    return new SessionLife(idle, absolute);
  }

  private static ThrottleConfig throttle(YamlSection throttle) {
    return new ThrottleConfig(
        throttle.read("perAccount", 10, v -> v.integer(1, 1000)),
        throttle.read("perAddress", 100, v -> v.integer(1, 1_000_000)),
        throttle.read("window", Duration.ofMinutes(15), v -> v.duration(Duration.ofSeconds(1), Duration.ofDays(1))));
  }

  private Optional<SpConfig> sp(YamlSection sp, Optional<String> ownIdp) {
    Optional<Origin> publicUrl = publicUrl(sp);
    List<Origin> others = sp.values("otherOrigins").stream().flatMap(v -> v.origin().stream()).distinct().toList();
    List<String> identityProviders = identityProviders(sp, ownIdp);
    boolean unsolicited = sp.read("unsolicited", false, YamlValue::bool);
    SessionLife session = session(sp);
    YamlSection subject = sp.sectionOrEmpty("subject");
    SubjectMapping mapping =
        new SubjectMapping(
            subject.read("user", "uid", YamlValue::name),
            subject.read("roles", "roles", YamlValue::name),
            subject.read("groups", "groups", YamlValue::name));
    List<RequestedAttribute> requested = requestedAttributes(sp);
    List<URI> nodes = artifactNodes(sp, publicUrl);
    TimeBounds times = times(sp.sectionOrEmpty("times"));
    if (publicUrl.isEmpty() || identityProviders.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new SpConfig(
            URI.create(publicUrl.get().toString()),
            others.stream().filter(o -> !o.equals(publicUrl.get())).toList(),
            identityProviders,
            unsolicited,
            session,
            mapping,
            requested,
            nodes,
            times));
  }

  private static TimeBounds times(YamlSection times) {
    return new TimeBounds(
        times.read("ahead", TimeBounds.USUAL.ahead(), v -> v.duration(Duration.ZERO, Duration.ofMinutes(10))),
        times.read("validity", TimeBounds.USUAL.validity(), v -> v.duration(Duration.ofMinutes(1), Duration.ofDays(30))));
  }

  private List<String> identityProviders(YamlSection sp, Optional<String> ownIdp) {
    List<String> written =
        sp.values("identityProvider").stream().flatMap(v -> v.entityId().stream()).distinct().toList();
    if (!sp.has("identityProvider") && !root.has("idp")) {
      sp.problem("identityProvider", "is missing", "write the entityId of the partner that logs people in");
    }
    return written.isEmpty() && !sp.has("identityProvider") ? ownIdp.stream().toList() : written;
  }

  /** Reads {@code mail} as an optional and {@code mail!} as a required attribute. */
  private static List<RequestedAttribute> requestedAttributes(YamlSection sp) {
    return sp.values("requestedAttributes").stream()
        .map(YamlValue::text)
        .map(text -> new RequestedAttribute(text.replaceFirst("!$", ""), text.endsWith("!")))
        .toList();
  }
}
