package dev.gatehouse.common.realm;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One realm's whole configuration as one immutable value. Files, the admin API and tests all build one, and a node replaces it
 * atomically. Nothing else reads the configuration.
 *
 * @param name lower-case letters, digits and hyphens; the file's name without {@code .yaml}
 * @param revision identifies the content: equal texts have equal revisions
 * @param idp present if the realm has an identity provider
 * @param sp present if the realm has a service provider
 * @param directory present if {@code idp} is; without an idp, if the sp has people of its own
 * @param federation the storage of persistent names and links
 */
public record Realm(
    String name,
    Revision revision,
    BrandConfig brand,
    KeyConfig keys,
    Optional<IdpConfig> idp,
    Optional<SpConfig> sp,
    Optional<DirectoryConfig> directory,
    Parties parties,
    GatewayConfig gateway,
    FederationConfig federation) {

  /**
   * The other parties of its protocols.
   *
   * @param partners SAML entities
   * @param clients configured OAuth clients, without those that registered at run time
   * @param providers OpenID providers of the sp and the gateway
   * @param radius clients of RADIUS
   * @param otp other realms of one-time passwords, which are trusted
   */
  public record Parties(
      List<PartnerConfig> partners, List<ClientConfig> clients, List<ProviderConfig> providers, Optional<RadiusConfig> radius,
      Optional<OtpTrusts> otp) {

    /** Creates parties that trust no other realm of one-time passwords. */
    public Parties(List<PartnerConfig> partners, List<ClientConfig> clients, List<ProviderConfig> providers, Optional<RadiusConfig> radius) {
      this(partners, clients, providers, radius, Optional.empty());
    }

    /** Creates parties without clients of RADIUS. */
    public Parties(List<PartnerConfig> partners, List<ClientConfig> clients, List<ProviderConfig> providers) {
      this(partners, clients, providers, Optional.empty());
    }
  }

  /**
   * RADIUS of a realm: who may ask about its people's passcodes, and what they are told about an accepted person.
   *
   * @param clients by unique names
   * @param replies the first one that fits counts; if there are some and none fits, the person is rejected
   */
  public record RadiusConfig(List<Client> clients, List<Reply> replies) {

    /**
     * A VPN server, Wi-Fi gateway or proxy.
     *
     * @param addresses where its packets over UDP come from; none if it has no secret
     * @param secret shared with it, for UDP
     * @param certificate the DNS name in its certificate, for TLS; in lower case
     * @param roles people must have one of these; any person if there are none
     * @param visitors whether people of other realms may come in by it
     * @param language of what people read: {@code en} or {@code de}
     * @param showsPins whether PINs that the server makes may be sent to it: it shows them to the person itself, and is no proxy
     */
    public record Client(
        String name,
        List<Cidr> addresses,
        Optional<Secret> secret,
        Optional<String> certificate,
        Set<String> roles,
        boolean visitors,
        String language,
        boolean showsPins) {}

    /**
     * Attributes of an Access-Accept.
     *
     * @param roles the person has one of these; anybody if there are none
     * @param clients names of clients; any if there are none
     * @param attributes what the client is told
     */
    public record Reply(Set<String> roles, Set<String> clients, Attributes attributes) {}

    /**
     * What a client is told about a person.
     *
     * @param filterId name of a filter at the client (RFC 2865, section 5.11)
     * @param classValue what the client repeats in its accounting (RFC 2865, section 5.25)
     * @param vlan number or name of a VLAN, told by three attributes of tunnels (RFC 3580, section 3.31)
     * @param sessionTimeout after which the client ends the session (RFC 2865, section 5.27)
     */
    public record Attributes(
        Optional<String> filterId, Optional<String> classValue, Optional<String> vlan, Optional<Duration> sessionTimeout) {

      /** No attributes. */
      public static final Attributes NONE = new Attributes(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }
  }

  /**
   * Other realms of one-time passwords, whose people are visitors here and where our people are visitors.
   *
   * @param suffixes what the names of our people end with at other realms, in lower case
   * @param wholeNames whether names in our directory have the suffix; otherwise it is cut off
   * @param key with which we prove to other realms who we are: its certificate alone, without a chain
   * @param certificates of ours that other realms shall accept: that of the key first, those of later keys behind it
   * @param authorities one of them certifies our server, or it is that certificate itself
   */
  public record OtpTrusts(
      List<String> suffixes, boolean wholeNames, UpstreamConfig.ClientKey key, List<X509Certificate> certificates,
      List<X509Certificate> authorities, List<TrustedRealm> realms) {}

  /**
   * A realm whose word about its own people counts here.
   *
   * @param suffixes of the names of its people, in lower case; the first one is its name here
   * @param document what it published of itself
   * @param roles that its people have here
   * @param asked whether it is asked about names without suffix that nobody here has
   * @param told whether it learns, when it asks, that we know a person
   * @param perSecond passcodes that it may ask about in a second at one node
   * @param timeout how long its answer is waited for
   * @param exchange attributes that go with answers about people
   */
  public record TrustedRealm(
      List<String> suffixes, Document document, Set<String> roles, boolean asked, boolean told, int perSecond, Duration timeout,
      Exchange exchange) {

    /** Creates a realm with which no attributes are exchanged. */
    public TrustedRealm(
        List<String> suffixes, Document document, Set<String> roles, boolean asked, boolean told, int perSecond, Duration timeout) {
      this(suffixes, document, roles, asked, told, perSecond, timeout, Exchange.NONE);
    }

    /**
     * Attributes that go with the answer about a person who is let in.
     *
     * @param tells names of those of our people that the realm is told
     * @param takes names of those of its people that count here
     * @param grants roles here that values of its people's attributes give
     */
    public record Exchange(Set<String> tells, Set<String> takes, List<Grant> grants) {

      public static final Exchange NONE = new Exchange(Set.of(), Set.of(), List.of());

      /** The number of attributes of an answer, of values of one, and of characters of a value. */
      public static final int MOST_NAMES = 16;

      public static final int MOST_VALUES = 8;

      public static final int LONGEST = 256;
    }

    /** Roles of people of whom an attribute has a value. */
    public record Grant(String attribute, String value, Set<String> roles) {}

    /** Returns the name by which it is configured, logged and counted. */
    public String name() {
      return suffixes.getFirst();
    }

    /**
     * What a realm publishes for those that trust it.
     *
     * @param suffixes of the names of its people
     * @param url below which it is asked; https
     * @param certificates with one of which it asks
     * @param authorities one of them certifies its server, or it is that certificate itself
     */
    public record Document(List<String> suffixes, URI url, List<X509Certificate> certificates, List<X509Certificate> authorities) {}
  }

  /** Returns the OpenID provider with that issuer. */
  public Optional<ProviderConfig> provider(String issuer) {
    return parties.providers().stream().filter(provider -> provider.issuer().equals(issuer)).findFirst();
  }

  /**
   * Returns the OpenID providers at which people log in by one redirect URI; none if only one has it. The realm's own identity provider
   * is not among them: it names itself in its answers (RFC 9207), and what it obtains is ours anyway.
   */
  public List<ProviderConfig> sharingRedirectUri() {
    List<ProviderConfig> sharing =
        sp.stream()
            .flatMap(home -> home.identityProviders().stream())
            .filter(id -> !isOwnIdentityProvider(id))
            .filter(id -> parties.partners().stream().noneMatch(partner -> partner.entityId().equals(id)))
            .flatMap(id -> provider(id).stream())
            .filter(provider -> provider.client().isPresent() && provider.alias().isEmpty())
            .toList();
    return sharing.size() > 1 ? sharing : List.of();
  }

  /**
   * Returns whether that entity ID or issuer is the realm's own identity provider: its {@code idp}, or the only one that the sp and the
   * routes list, so that there is no other one whose people could be meant.
   */
  public boolean isOwnIdentityProvider(String id) {
    if (idp.filter(own -> own.entityId(name).equals(id)).isPresent()) {
      return true;
    }
    Stream<String> listed =
        Stream.concat(
            sp.stream().flatMap(s -> s.identityProviders().stream()), parties.providers().stream().map(ProviderConfig::issuer));
    return listed.distinct().toList().equals(List.of(id));
  }

  /**
   * Identifies a content: the first 12 hexadecimal digits of the SHA-256 of the realm's file and of the files that it names
   * (except partners' metadata, which the registry reads again by itself).
   */
  public record Revision(String value) {
    @Override
    public String toString() {
      return value;
    }
  }
}
