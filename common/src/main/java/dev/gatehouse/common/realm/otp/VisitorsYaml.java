package dev.gatehouse.common.realm.otp;

import dev.gatehouse.common.realm.IdpConfig;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Document;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Exchange;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Grant;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Pems;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlValue;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads {@code otp.visitors} of a realm. */
public final class VisitorsYaml {

  /** The number of other realms, so that a question to all of them stays small. */
  private static final int MOST = 20;

  private static final Type<String> SUFFIX =
      Type.matching("domain", RealmDocument.SUFFIX, "is not a domain in lower case", "write what stands behind @, like branch.example.org")
          .reaching(Reach.NAME_ONLY);

  private static final Section TRUST = new Section();
  private static final Key<Document> DOCUMENT =
      TRUST.required(
          "document", Type.string("JSON file of a realm", RealmDocument::of), "branch.json", "name the file with what the other realm serves at otp/v1/realm",
          "What the other realm serves at `otp/v1/realm`, saved as a file and compared with its administrator: its address and certificates.");
  private static final Key<String> THEIRS =
      TRUST.list(
          "suffixes", SUFFIX, "e.g. [branch.example.org]",
          "What the names of its people end with; its `document` must have them, and the first one is its name here. Its word counts for nobody else.");
  private static final Key<String> ROLES = TRUST.list("roles", Type.NAME, "[]", "The roles that its people have here.");
  private static final Key<Boolean> ASKED =
      TRUST.key("asked", Type.BOOL, "false", "Whether it is asked about names without suffix that nobody here has.");
  private static final Key<Boolean> TOLD =
      TRUST.key("told", Type.BOOL, "false", "Whether it learns, when it asks about a name without suffix, that we have such a person with a token.");
  private static final Key<Integer> PER_SECOND =
      TRUST.key("perSecond", Type.integer(1, 100_000), "50",
          "Passcodes of our people that it may ask about in a second at one node; a tenth of it, names without suffix.");
  private static final Key<Duration> TIMEOUT =
      TRUST.key("timeout", Type.duration("200ms", "10s"), "3s", "How long its answer is waited for; nobody is let in without one.");

  private static final Key<String> TELLS =
      TRUST.list("tells", Type.NAME, "[]", "Names of `directory.attributes` of our people that it is told with the answer: at most 16.");
  private static final Key<String> TAKES =
      TRUST.list(
          "takes", Type.NAME, "[]",
          "Attributes of its people that count here, for agents: at most 16. None whose name decides about roles; `grants` says what such a one means.");

  private static final Section GRANT = new Section();
  private static final Key<String> ATTRIBUTE =
      GRANT.required("attribute", Type.NAME, "department", "write the name that the other realm tells", "The attribute that the other realm tells.");
  private static final Key<String> VALUE =
      GRANT.required("value", Type.TEXT, "sales", "write the value that people have who get the roles", "The value that a person has, exactly.");
  private static final Key<String> GRANTED = GRANT.list("roles", Type.NAME, "e.g. [sales]", "Roles of ours that such a person has here.");
  private static final Key<Void> GRANTS =
      TRUST.sections("grants", GRANT, "Roles here beside `roles`, by attributes of its people: what the other realm says gives no other.");

  /** Whoever takes these as they are would let another realm decide about roles. */
  private static final Set<String> OF_ROLES =
      Set.of("role", "roles", "group", "groups", "memberof", "ismemberof", "entitlement", "entitlements", "edupersonentitlement");

  public static final Section KEYS = new Section();
  private static final Key<String> OURS =
      KEYS.list(
          "suffixes", SUFFIX, "e.g. [example.org]",
          "What the names of our people end with at other realms, like `carol@example.org`; it may be typed here, too.");
  private static final Key<Boolean> WHOLE_NAMES =
      KEYS.key("wholeNames", Type.BOOL, "false", "Whether names in the directory have the suffix; otherwise it is cut off.");
  private static final Key<YamlValue> CERTIFICATE =
      KEYS.required(
          "certificate", Type.FILE, "otp.pem", "name a PEM file; `openssl req -x509` makes it with key",
          "The certificate by which other realms know us, self-signed as a rule; those of later keys stand behind it.");
  private static final Key<YamlValue> PRIVATE_KEY =
      KEYS.required("key", Type.SECRET_FILE, "otp.key", "name the PKCS#8 PEM file of the certificate's key", "The key of `certificate`: PKCS#8 PEM.");
  private static final Key<List<X509Certificate>> SERVER_CA =
      KEYS.required(
          "serverCa", Pems.CHAIN, "server-ca.pem", "name the PEM file of the authority of listeners.clientCertificates, or of its certificate",
          "The authority of the certificate of `listeners.clientCertificates`, or that certificate itself: other realms accept nothing else.");
  private static final Key<Void> TRUSTS =
      KEYS.sections("trusts", TRUST, "Other realms of one-time passwords whose people may come, and whom our people may visit: at most 20.");

  private VisitorsYaml() {}

  /**
   * Reads the section.
   *
   * @param hasIdp whether the realm has an identity provider
   * @param idp the same, as far as it could be read
   */
  public static Optional<OtpTrusts> read(YamlSection visitors, boolean hasIdp, Optional<IdpConfig> idp) {
    if (!hasIdp) {
      visitors.problem(TRUSTS, "need an idp, whose people have tokens", "add idp with publicUrl");
    }
    idp.ifPresent(config -> possible(visitors, config));
    List<String> suffixes = List.copyOf(visitors.all(OURS));
    if (visitors.isEmpty(OURS)) {
      visitors.problem(OURS, "is missing: other realms find ours by it", "write what the names of your people end with, like [example.org]");
    }
    List<YamlSection> sections = visitors.sections(TRUSTS);
    if (sections.size() > MOST) {
      visitors.problem(TRUSTS, "are " + sections.size() + " realms", "write at most " + MOST);
    }
    List<X509Certificate> certificates = visitors.find(CERTIFICATE).flatMap(Pems.CHAIN.parser()).orElse(List.of());
    Optional<ClientKey> key = key(visitors);
    Optional<List<X509Certificate>> authorities = visitors.find(SERVER_CA);
    List<TrustedRealm> realms = new ArrayList<>();
    Owners owners = new Owners();
    suffixes.forEach(suffix -> owners.own(suffix, visitors, OURS, "this realm"));
    certificates.forEach(certificate -> owners.own(certificate, visitors, CERTIFICATE, "this realm"));
    sections.forEach(section -> trust(section, owners).ifPresent(realms::add));
    return key.isEmpty() || authorities.isEmpty() || suffixes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new OtpTrusts(suffixes, visitors.get(WHOLE_NAMES), key.get(), List.copyOf(certificates), List.copyOf(authorities.get()), List.copyOf(realms)));
  }

  private static void possible(YamlSection visitors, IdpConfig idp) {
    if (idp.contracts().token().isEmpty()) {
      visitors.problem(TRUSTS, "need passcodes, which this realm does not take", "add idp.contracts.token");
    }
    if (idp.oauth().certificateUrl().isEmpty()) {
      visitors.problem(TRUSTS, "need an address at which other realms show their certificates", "add idp.oauth.certificateUrl and listeners.clientCertificates");
    }
  }

  private static Optional<ClientKey> key(YamlSection visitors) {
    Optional<YamlValue> certificate = visitors.find(CERTIFICATE);
    Optional<YamlValue> key = visitors.find(PRIVATE_KEY);
    if (certificate.isEmpty() || key.isEmpty() || Pems.pair(key.get(), certificate.get()).isEmpty()) {
      return Optional.empty();
    }
    Optional<Secret> pem = key.get().secretContent().map(content -> new Secret(new String(content, StandardCharsets.US_ASCII)));
    return Pems.CERTIFICATE.parser().apply(certificate.get()).flatMap(first -> pem.map(secret -> new ClientKey(List.of(first), secret)));
  }

  private static Optional<TrustedRealm> trust(YamlSection section, Owners owners) {
    List<String> suffixes = List.copyOf(section.all(THEIRS));
    if (suffixes.isEmpty()) {
      section.problem(THEIRS, "is missing: the realm's word counts for names that end so", "write what the names of its people end with");
    }
    Optional<Document> document = section.find(DOCUMENT);
    // Administrators of this realm alone write the file, too: the node connects only where the realm may.
    document.ifPresent(read -> section.assumed(DOCUMENT, read.url().toString()).reaching(Reach.OUTBOUND));
    suffixes.forEach(suffix -> owners.own(suffix, section, THEIRS, suffixes.getFirst()));
    if (document.isPresent() && !suffixes.isEmpty()) {
      suffixes.stream()
          .filter(suffix -> !document.get().suffixes().contains(suffix))
          .forEach(
              suffix ->
                  section.problem(
                      THEIRS, "`" + suffix + "` is not in its document", "write one of " + String.join(", ", document.get().suffixes())));
      document.get().certificates().forEach(certificate -> owners.own(certificate, section, DOCUMENT, suffixes.getFirst()));
    }
    return document
        .filter(read -> !suffixes.isEmpty())
        .map(
            read ->
                new TrustedRealm(
                    suffixes, read, Set.copyOf(section.all(ROLES)), section.get(ASKED), section.get(TOLD), section.get(PER_SECOND),
                    section.get(TIMEOUT), exchange(section)));
  }

  private static Exchange exchange(YamlSection section) {
    for (Key<String> key : List.of(TELLS, TAKES)) {
      if (section.all(key).size() > Exchange.MOST_NAMES) {
        section.problem(key, "are " + section.all(key).size() + " attributes", "write at most " + Exchange.MOST_NAMES);
      }
    }
    section.all(TAKES).stream()
        .filter(name -> OF_ROLES.contains(name.toLowerCase(Locale.ROOT)))
        .forEach(
            name ->
                section.problem(
                    TAKES, "`" + name + "` decides about roles, and would be the other realm's word", "say in grants which of its values gives which role"));
    List<Grant> grants = new ArrayList<>();
    for (YamlSection grant : section.sections(GRANTS)) {
      if (grant.isEmpty(GRANTED)) {
        grant.problem(GRANTED, "is missing: the value gives nothing", "write roles of yours, or remove it");
      }
      grant.find(ATTRIBUTE)
          .ifPresent(name -> grant.find(VALUE).ifPresent(value -> grants.add(new Grant(name, value, Set.copyOf(grant.all(GRANTED))))));
    }
    return new Exchange(Set.copyOf(section.all(TELLS)), Set.copyOf(section.all(TAKES)), List.copyOf(grants));
  }

  /** A suffix and a certificate belong to one realm: otherwise nobody could tell whose word counts. */
  private static final class Owners {
    private final Map<Object, String> owners = new HashMap<>();

    void own(Object what, YamlSection section, Key<?> key, String realm) {
      String other = owners.putIfAbsent(what, realm);
      if (other != null) {
        String words = what instanceof String suffix ? "`" + suffix + "`" : "its certificate";
        section.problem(
            key, words + (other.equals(realm) ? " is there twice" : " is also of " + other), "give each realm suffixes and certificates of its own");
      }
    }
  }
}
