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
import dev.gatehouse.common.realm.yaml.Durations;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.SpellingHints;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads {@code partners} of a realm. */
final class PartnersYaml {

  private static final Pattern SCOPE = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]{0,253}[A-Za-z0-9])?");
  static final Type<String> CONTRACTS = Type.words("password", "basic", "certificate", "token", "totp", "passkey");

  private static final Type<NameIdFormat> FORMAT =
      Type.choice(
          Type.table(Type::camelCase, NameIdFormat.values()), Type.table(NameIdFormat::uri, NameIdFormat.values()));

  private static final Section METADATA = new Section();
  private static final Key<YamlValue> FILE =
      METADATA.key("file", Type.FILE, "e.g. partner.xml", "A file in place of `url`; read again when it changes.");
  private static final Key<YamlValue> URL =
      METADATA.key(
          "url", Type.string("URL", Optional::of).reaching(Reach.OUTBOUND), "e.g. https://idp.example.org/metadata",
          "The address of the metadata; http only with `verifyWith` or to localhost.");
  private static final Key<Path> VERIFY =
      METADATA.key(
          "verifyWith", Pems.CERTIFICATE.then("PEM file", (v, read) -> Optional.of(v.onDisk())), "e.g. federation.pem",
          "The certificate of the key that must have signed the document.");
  private static final Key<Duration> REFRESH =
      METADATA.key(
          "refresh", Type.duration("1s", "7d"), "1h",
          "With `url`: the time between two fetches; less if the document asks for it.");

  private static final Section LINK = new Section();
  private static final Key<String> LINK_ATTRIBUTE =
      LINK.required(
          "attribute", Type.NAME, "mail", "write the SAML attribute that is compared", "The SAML attribute that is compared.");
  private static final Key<String> MATCHES =
      LINK.key("matches", Type.NAME, "e.g. mail", "Our attribute to compare with; the same name unless configured.");

  static final Section KEYS = new Section();
  private static final Key<String> ENTITY_ID =
      KEYS.required(
          "entityId", Type.ENTITY_ID, "https://sp.example.org/metadata", "write the partner's entityID exactly as in its metadata",
          "The partner's entityID, exactly as in its metadata.");
  private static final Key<String> DISPLAY_NAME =
      KEYS.key("displayName", Type.TEXT, "e.g. The wiki",
          "The name shown on pages; the name in metadata, or the entity ID, unless configured.");
  private static final Key<YamlValue> METADATA_SOURCE =
      KEYS.either(
          "metadata", Set.of(Form.SCALAR, Form.SECTION), Type.FILE.reaching(Reach.OUTBOUND), METADATA, "e.g. partner.xml",
          "The partner's metadata: the path of a file, a URL, or the section. Default: the entity ID, if that is a URL (for our "
              + "own idp: with /saml/metadata appended).");
  private static final Key<YamlValue> RELEASE =
      KEYS.either(
          "release", Set.of(Form.LIST, Form.MAP), Type.FILE, "e.g. [uid, mail, roles, groups]",
          "Attributes that our idp releases to the partner: names, or `{SAML name: ours}`; `uid@example.org` for a scoped one. "
              + "Other attributes are not released.");
  private static final Key<NameIdFormat> NAME_ID =
      KEYS.key("nameId", FORMAT, "transient", "The NameID format if the partner's AuthnRequest asks for none.");
  private static final Key<Logout> LOGOUT =
      KEYS.key("logout", Type.choice(Logout.class), "front",
          "How logout messages travel. `soap`: from server to server if the partner's metadata offers both.");
  private static final Key<Encrypted> ENCRYPT =
      KEYS.list(
          "encrypt", Type.choice(Encrypted.class), "[]",
          "For a service provider: what is encrypted; it must publish an encryption key.");
  private static final Key<Boolean> CREDENTIAL_RELEASE =
      KEYS.key(
          "credentialRelease", Type.BOOL, "false",
          "Whether the partner, a Gatehouse's gateway, gets the password of each login, for form fill; needs `encrypt: "
              + "[assertion]`.");
  private static final Key<Boolean> CONSENT =
      KEYS.key("consent", Type.BOOL, "false", "For a service provider: whether the person is asked before anything is released.");
  static final Key<String> CONTRACT =
      KEYS.key("contract", CONTRACTS, "e.g. totp", "For a service provider: the least login contract; any unless configured.");
  private static final Key<RequestBinding> REQUEST =
      KEYS.key("request", Type.choice(RequestBinding.class), "redirect", "How requests to an identity provider travel.");
  private static final Key<ResponseBinding> RESPONSE =
      KEYS.key("response", Type.choice(ResponseBinding.class), "post", "How responses of an identity provider travel.");
  private static final Key<NameIdFormat> REQUEST_NAME_ID =
      KEYS.key("requestNameId", FORMAT, "e.g. persistent", "The NameID format that an identity provider is asked for.");
  private static final Key<Boolean> LINK_RULE =
      KEYS.either(
          "link", Set.of(Form.SCALAR, Form.SECTION), Type.choice(login -> login ? "login" : "none", false, true), LINK, "none",
          "How an identity provider's people are linked to local accounts: `none`, they are the same people; `login`, they log "
              + "in locally once; a section, an attribute has the same value on both sides.");
  private static final Key<String> SCOPES =
      KEYS.list(
          "scopes", Type.TEXT, "[]",
          "Accepted scopes of an identity provider's scoped attributes, e.g. `[example.org]`; those in its metadata count only if "
              + "none are listed.");
  private static final Key<String> ACCEPT =
      KEYS.lists(
          "accept", Type.TEXT, "{}",
          "Values of an identity provider's attributes that count, e.g. `{roles: [staff, \"app-*\"]}`. If the identity provider "
              + "is not the realm's own, roles, groups, authnContext (AuthnContextClassRefs) and plain user names (`uid`, or "
              + "nameId) count only if listed.");

  private static final Key<Boolean> PLAIN_HTTP =
      KEYS.key(
          "plainHttp", Type.BOOL, "false",
          "Whether endpoints of its metadata count that are `http:`, or on this machine. They are ignored otherwise, because the partner "
              + "chooses them; where the realm itself has loopback addresses only, those on this machine count.");

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
    Optional<String> entityId = section.find(ENTITY_ID);
    Optional<MetadataSource> metadata = metadata(section, entityId);
    Map<String, Release> release = release(section);
    NameIdFormat nameId = section.get(NAME_ID);
    if (nameId == NameIdFormat.EMAIL && directory.isPresent() && !directory.get().people().attributes().containsKey("mail")) {
      section.problem(NAME_ID, "needs the directory attribute mail", "add mail to directory.attributes");
    }
    AsServiceProvider asServiceProvider = asServiceProvider(section, entityId);
    AsIdentityProvider asIdentityProvider = asIdentityProvider(section);
    if (entityId.isEmpty() || metadata.isEmpty()) {
      return Optional.empty();
    }
    Integer first = lines.putIfAbsent(entityId.get(), section.line(ENTITY_ID));
    if (first != null) {
      section.problem(ENTITY_ID, "is that of another partner, too (line " + first + ")", "keep one of them");
    }
    return Optional.of(
        new PartnerConfig(
            entityId.get(), section.find(DISPLAY_NAME), metadata.get(), release, nameId, section.get(LOGOUT), asServiceProvider,
            asIdentityProvider, section.get(PLAIN_HTTP)));
  }

  private static AsServiceProvider asServiceProvider(YamlSection section, Optional<String> entityId) {
    Set<Encrypted> encrypt = Set.copyOf(section.all(ENCRYPT));
    return new AsServiceProvider(
        encrypt, section.get(CONSENT), section.find(CONTRACT), credentialRelease(section, encrypt, entityId));
  }

  /** Passwords may go only to Gatehouse gateways, and only encrypted: any other configuration is refused. */
  private static boolean credentialRelease(YamlSection section, Set<Encrypted> encrypt, Optional<String> entityId) {
    boolean wanted = section.get(CREDENTIAL_RELEASE);
    if (wanted && !encrypt.contains(Encrypted.ASSERTION)) {
      section.problem(
          CREDENTIAL_RELEASE, "would send passwords that are not encrypted", "add encrypt: [assertion] for this partner");
      return false;
    }
    if (wanted && entityId.filter(id -> id.endsWith("/.gatehouse/saml/metadata")).isEmpty()) {
      section.problem(
          CREDENTIAL_RELEASE, "would give passwords to a partner that is no Gatehouse",
          "remove it: only the sp of a Gatehouse, whose entityId ends with /.gatehouse/saml/metadata, may get them");
      return false;
    }
    return wanted;
  }

  private AsIdentityProvider asIdentityProvider(YamlSection section) {
    return new AsIdentityProvider(
        section.get(REQUEST), section.get(RESPONSE), section.find(REQUEST_NAME_ID), link(section), section.all(SCOPES),
        Collections.unmodifiableMap(section.lists(ACCEPT)));
  }

  private Link link(YamlSection section) {
    if (!section.isMapping(LINK_RULE)) {
      boolean byLogin = section.get(LINK_RULE);
      if (byLogin && directory.isEmpty()) {
        section.problem(LINK_RULE, "needs the directory, where people log in", "add directory, or link by an attribute");
      }
      return byLogin ? new Link.ByLogin() : new Link.None();
    }
    YamlSection link = section.sectionOrEmpty(LINK_RULE);
    Optional<String> saml = link.find(LINK_ATTRIBUTE);
    Optional<String> ours = link.find(MATCHES).or(() -> saml);
    if (ours.isPresent() && directory.filter(d -> !d.people().attributes().containsKey(ours.get())).isPresent()) {
      link.problem(MATCHES, "`" + ours.get() + "` is not an attribute that is read", "add it to directory.attributes");
    }
    return saml.isPresent() && ours.isPresent() ? new Link.ByAttribute(saml.get(), ours.get()) : new Link.None();
  }

  private Optional<MetadataSource> metadata(YamlSection section, Optional<String> entityId) {
    if (!section.has(METADATA_SOURCE)) {
      return entityId.flatMap(id -> wellKnown(section, id));
    }
    if (section.isScalar(METADATA_SOURCE)) {
      return section.find(METADATA_SOURCE).flatMap(PartnersYaml::shortForm);
    }
    YamlSection metadata = section.sectionOrEmpty(METADATA_SOURCE);
    Optional<YamlValue> file = metadata.find(FILE);
    Optional<YamlValue> url = metadata.find(URL);
    Optional<Path> verify = metadata.find(VERIFY);
    Duration refresh = metadata.get(REFRESH);
    if (metadata.has(FILE) == metadata.has(URL)) {
      section.problem(METADATA_SOURCE, "names " + (metadata.has(FILE) ? "a file and a url" : "no source"), "write file or url");
      return Optional.empty();
    }
    if (metadata.has(REFRESH) && metadata.has(FILE)) {
      metadata.problem(REFRESH, "has no effect with a file", "remove it: a file is read again when it changes");
    }
    Optional<MetadataSource> fromFile = file.flatMap(PartnersYaml::file).map(f -> new MetadataSource.File(f, verify));
    return fromFile.or(
        () -> url.flatMap(v -> url(v, metadata.has(VERIFY))).map(u -> new MetadataSource.Url(u, verify, refresh)));
  }

  /** Returns the default source: metadata are at the entity ID if that is a URL (SAML Metadata 4.1); our own idp's differ. */
  private Optional<MetadataSource> wellKnown(YamlSection section, String entityId) {
    if (!entityId.startsWith("http:") && !entityId.startsWith("https:")) {
      section.problem(
          METADATA_SOURCE, "is missing, and the entity ID is not a URL", "write metadata: a file's path or a URL");
      return Optional.empty();
    }
    boolean own = ownIdp.filter(entityId::equals).isPresent();
    YamlValue address = section.assumed(METADATA_SOURCE, own ? entityId + "/saml/metadata" : entityId).reaching(Reach.OUTBOUND);
    return url(address, false).map(PartnersYaml::fetched);
  }

  private static MetadataSource fetched(URI url) {
    return new MetadataSource.Url(url, Optional.empty(), Durations.parse(REFRESH.usual().orElseThrow()).orElseThrow());
  }

  private static Optional<MetadataSource> shortForm(YamlValue value) {
    if (value.text().contains("://")) {
      return url(value, false).map(PartnersYaml::fetched);
    }
    return file(value).map(file -> new MetadataSource.File(file, Optional.empty()));
  }

  /** The file is not part of the revision: the registry itself reads it again when it changes. */
  private static Optional<Path> file(YamlValue value) {
    return value.source().files().follow(value.path())
        ? Optional.of(value.onDisk())
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
    if (section.isMapping(RELEASE)) {
      section.map(RELEASE).forEach((saml, value) -> attribute(value).ifPresent(ours -> release.put(saml, ours)));
    } else {
      section.all(RELEASE).forEach(value -> attribute(value).ifPresent(ours -> release.put(ours.source(), ours)));
    }
    return Collections.unmodifiableMap(release);
  }

  /** Reads {@code uid}, or {@code uid@example.org} for a scoped attribute. */
  private Optional<Release> attribute(YamlValue value) {
    TreeSet<String> known = new TreeSet<>(directory.map(d -> d.people().attributes().keySet()).orElse(Set.of()));
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
