package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.AsIdentityProvider;
import dev.gatehouse.common.realm.PartnerConfig.AsServiceProvider;
import dev.gatehouse.common.realm.PartnerConfig.Encrypted;
import dev.gatehouse.common.realm.PartnerConfig.Link;
import dev.gatehouse.common.realm.PartnerConfig.Logout;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.realm.PartnerConfig.NameIdFormat;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.realm.PartnerConfig.RequestBinding;
import dev.gatehouse.common.realm.PartnerConfig.ResponseBinding;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code partners} of a realm. */
final class PartnersYaml {

  private static final Map<String, NameIdFormat> FORMATS = new LinkedHashMap<>();

  static {
    FORMATS.put("transient", NameIdFormat.TRANSIENT);
    FORMATS.put("persistent", NameIdFormat.PERSISTENT);
    FORMATS.put("email", NameIdFormat.EMAIL);
  }

  private static final Map<String, Logout> LOGOUT = Map.of("front", Logout.FRONT, "soap", Logout.SOAP);
  private static final Map<String, String> CONTRACTS =
      Stream.of("password", "basic", "certificate", "totp").collect(Collectors.toMap(word -> word, word -> word));
  private static final Map<String, Encrypted> ENCRYPTED =
      Map.of("assertion", Encrypted.ASSERTION, "nameId", Encrypted.NAME_ID, "attributes", Encrypted.ATTRIBUTES);
  private static final Map<String, RequestBinding> REQUEST =
      Map.of("redirect", RequestBinding.REDIRECT, "post", RequestBinding.POST, "artifact", RequestBinding.ARTIFACT);
  private static final Map<String, ResponseBinding> RESPONSE =
      Map.of("post", ResponseBinding.POST, "artifact", ResponseBinding.ARTIFACT);
  private static final Pattern SCOPE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,253}[A-Za-z0-9])?");

  private static final Duration REFRESH = Duration.ofHours(1);

  private final List<YamlSection> partners;
  private final Optional<DirectoryConfig> directory;
  private final Optional<String> ownIdp;

  /**
   * @param directory the source of releasable attributes; if it is absent (or wrong), their names are not checked
   * @param ownIdp entity ID of the realm's idp, whose metadata have a known address
   */
  PartnersYaml(List<YamlSection> partners, Optional<DirectoryConfig> directory, Optional<String> ownIdp) {
    this.partners = partners;
    this.directory = directory;
    this.ownIdp = ownIdp;
  }

  List<PartnerConfig> read() {
    Map<String, Integer> lines = new HashMap<>();
    return partners.stream().flatMap(section -> partner(section, lines).stream()).toList();
  }

  private Optional<PartnerConfig> partner(YamlSection section, Map<String, Integer> lines) {
    Optional<String> entityId =
        section.required("entityId", YamlValue::entityId, "write the partner's entityID exactly as in its metadata");
    Optional<String> displayName = section.value("displayName").flatMap(YamlValue::string);
    Optional<MetadataSource> metadata = metadata(section, entityId);
    Map<String, Release> release = release(section);
    NameIdFormat nameId = section.read("nameId", NameIdFormat.TRANSIENT, PartnersYaml::format);
    if (nameId == NameIdFormat.EMAIL && directory.isPresent() && !directory.get().attributes().containsKey("mail")) {
      section.problem("nameId", "needs the directory attribute mail", "add mail to directory.attributes");
    }
    Logout logout = section.read("logout", Logout.FRONT, v -> v.choice(LOGOUT));
    AsServiceProvider asServiceProvider = asServiceProvider(section);
    AsIdentityProvider asIdentityProvider = asIdentityProvider(section);
    if (entityId.isEmpty() || metadata.isEmpty()) {
      return Optional.empty();
    }
    Integer first = lines.putIfAbsent(entityId.get(), section.line("entityId"));
    if (first != null) {
      section.problem("entityId", "is that of another partner, too (line " + first + ")", "keep one of them");
    }
    return Optional.of(
        new PartnerConfig(
            entityId.get(), displayName, metadata.get(), release, nameId, logout, asServiceProvider,
            asIdentityProvider));
  }

  private static AsServiceProvider asServiceProvider(YamlSection section) {
    Set<Encrypted> encrypt = EnumSet.noneOf(Encrypted.class);
    section.values("encrypt").forEach(value -> value.choice(ENCRYPTED).ifPresent(encrypt::add));
    return new AsServiceProvider(
        Set.copyOf(encrypt),
        section.read("consent", false, YamlValue::bool),
        section.value("contract").flatMap(v -> v.choice(CONTRACTS)),
        credentialRelease(section, encrypt));
  }

  /** Passwords may go only to Gatehouse gateways, and only encrypted: any other configuration is refused. */
  private static boolean credentialRelease(YamlSection section, Set<Encrypted> encrypt) {
    boolean wanted = section.read("credentialRelease", false, YamlValue::bool);
    if (wanted && !encrypt.contains(Encrypted.ASSERTION)) {
      section.problem(
          "credentialRelease", "would send passwords that are not encrypted", "add encrypt: [assertion] for this partner");
      return false;
    }
    boolean ours =
        section.value("entityId").map(YamlValue::text).filter(id -> id.endsWith("/.gatehouse/saml/metadata")).isPresent();
    if (wanted && !ours) {
      section.problem(
          "credentialRelease", "would give passwords to a partner that is no Gatehouse",
          "remove it: only the sp of a Gatehouse, whose entityId ends with /.gatehouse/saml/metadata, may get them");
      return false;
    }
    return wanted;
  }

  private AsIdentityProvider asIdentityProvider(YamlSection section) {
    Map<String, List<String>> accept = new LinkedHashMap<>();
    section
        .mapOfLists("accept")
        .forEach((name, values) -> accept.put(name, values.stream().map(YamlValue::text).toList()));
    return new AsIdentityProvider(
        section.read("request", RequestBinding.REDIRECT, v -> v.choice(REQUEST)),
        section.read("response", ResponseBinding.POST, v -> v.choice(RESPONSE)),
        section.value("requestNameId").flatMap(PartnersYaml::format),
        link(section),
        section.values("scopes").stream().map(YamlValue::text).toList(),
        Collections.unmodifiableMap(accept));
  }

  private Link link(YamlSection section) {
    if (!section.isMapping("link")) {
      Link rule =
          section.read(
              "link", new Link.None(), v -> v.choice(Map.of("none", new Link.None(), "login", new Link.ByLogin())));
      if (rule instanceof Link.ByLogin && directory.isEmpty()) {
        section.problem("link", "needs the directory, where people log in", "add directory, or link by an attribute");
      }
      return rule;
    }
    YamlSection link = section.sectionOrEmpty("link");
    Optional<String> saml = link.required("attribute", YamlValue::name, "write the SAML attribute that is compared");
    Optional<String> ours = link.value("matches").flatMap(YamlValue::name).or(() -> saml);
    if (ours.isPresent() && directory.filter(d -> !d.attributes().containsKey(ours.get())).isPresent()) {
      link.problem("matches", "`" + ours.get() + "` is not an attribute that is read", "add it to directory.attributes");
    }
    return saml.isPresent() && ours.isPresent() ? new Link.ByAttribute(saml.get(), ours.get()) : new Link.None();
  }

  private static Optional<NameIdFormat> format(YamlValue value) {
    return NameIdFormat.ofUri(value.text()).or(() -> value.choice(FORMATS));
  }

  private Optional<MetadataSource> metadata(YamlSection section, Optional<String> entityId) {
    if (!section.has("metadata")) {
      section.value("metadata");
      return entityId.flatMap(id -> wellKnown(section, id));
    }
    if (section.isScalar("metadata")) {
      return section.value("metadata").flatMap(PartnersYaml::shortForm);
    }
    YamlSection metadata = section.sectionOrEmpty("metadata");
    Optional<YamlValue> file = metadata.value("file");
    Optional<YamlValue> url = metadata.value("url");
    Optional<YamlValue> verifyWith = metadata.value("verifyWith");
    Optional<Path> verify = verifyWith.flatMap(v -> KeyYaml.certificate(v).map(c -> v.path()));
    Duration refresh =
        metadata.read("refresh", REFRESH, v -> v.duration(Duration.ofSeconds(1), Duration.ofDays(7)));
    if (metadata.has("file") == metadata.has("url")) {
      section.problem("metadata", "names " + (metadata.has("file") ? "a file and a url" : "no source"),
          "write file or url");
      return Optional.empty();
    }
    if (metadata.has("refresh") && metadata.has("file")) {
      metadata.problem("refresh", "has no use with a file", "remove it: a file is read again when it changes");
    }
    Optional<MetadataSource> fromFile = file.flatMap(PartnersYaml::file).map(f -> new MetadataSource.File(f, verify));
    return fromFile.or(
        () -> url.flatMap(v -> url(v, verifyWith.isPresent())).map(u -> new MetadataSource.Url(u, verify, refresh)));
  }

  /** Returns the default source: metadata are at the entity ID if that is a URL (SAML Metadata 4.1); our own idp's differ. */
  private Optional<MetadataSource> wellKnown(YamlSection section, String entityId) {
    Optional<YamlValue> url =
        ownIdp.filter(entityId::equals).isPresent()
            ? section.assumed("metadata", entityId + "/saml/metadata")
            : section.assumed("metadata", entityId);
    if (!entityId.startsWith("http:") && !entityId.startsWith("https:")) {
      section.problem("metadata", "is missing, and the entity ID is not a URL",
          "write metadata: a file's path or a URL");
      return Optional.empty();
    }
    return url.flatMap(v -> url(v, false)).map(u -> new MetadataSource.Url(u, Optional.empty(), REFRESH));
  }

  private static Optional<MetadataSource> shortForm(YamlValue value) {
    if (value.text().contains("://")) {
      return url(value, false).map(url -> new MetadataSource.Url(url, Optional.empty(), REFRESH));
    }
    return file(value).map(file -> new MetadataSource.File(file, Optional.empty()));
  }

  /** The file is not part of the revision: the registry itself reads it again when it changes. */
  private static Optional<Path> file(YamlValue value) {
    Path path = value.path();
    return Files.isRegularFile(path) && Files.isReadable(path)
        ? Optional.of(path)
        : value.wrong("cannot read the file " + value.shownPath(), "it must exist and be readable for this user");
  }

  private static Optional<URI> url(YamlValue value, boolean verified) {
    Optional<URI> url = value.url();
    boolean plain = url.filter(u -> "http".equalsIgnoreCase(u.getScheme()) && !Loopback.isName(u.getHost()))
        .isPresent();
    return plain && !verified
        ? value.wrong(
            value.shown() + " could be answered by anybody on the way",
            "use https, or name the certificate that signs it as metadata.verifyWith")
        : url;
  }

  private Map<String, Release> release(YamlSection section) {
    Map<String, Release> release = new LinkedHashMap<>();
    if (section.isMapping("release")) {
      section.map("release").forEach((saml, value) -> attribute(value).ifPresent(ours -> release.put(saml, ours)));
    } else {
      section.values("release").forEach(value -> attribute(value).ifPresent(ours -> release.put(ours.source(), ours)));
    }
    return Collections.unmodifiableMap(release);
  }

  /** Reads {@code uid}, or {@code uid@example.org} for a scoped attribute. */
  private Optional<Release> attribute(YamlValue value) {
    TreeSet<String> known = new TreeSet<>(directory.map(d -> d.attributes().keySet()).orElse(Set.of()));
    known.add("roles");
    known.add("groups");
    int at = value.text().indexOf('@');
    String source = at < 0 ? value.text() : value.text().substring(0, at);
    Optional<String> scope = at < 0 ? Optional.empty() : Optional.of(value.text().substring(at + 1));
    if (scope.filter(text -> !SCOPE.matcher(text).matches()).isPresent()) {
      return value.wrong(value.shown() + " has no scope after @", "write a domain there, like uid@example.org");
    }
    if (directory.isEmpty() || known.contains(source)) {
      return Optional.of(new Release(source, scope));
    }
    String nearest = SpellingHints.nearest(source, known).map(k -> "did you mean " + k + "? ").orElse("");
    return value.wrong(
        value.shown() + " is not an attribute that is read",
        nearest + "add it to directory.attributes, or write one of " + String.join(", ", known));
  }
}
