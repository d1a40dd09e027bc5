package dev.gatehouse.common.realm;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One SAML partner: a service provider for our idp, an identity provider for our sp, or both.
 *
 * @param displayName shown to people on logout receipts and the account page; the entity ID where absent
 * @param release attributes that our idp releases to it, by SAML attribute name. Nothing is released that is not listed
 * @param nameId format that our idp uses where its AuthnRequest asks for none
 * @param logout the channel that we prefer where its metadata offers both
 * @param asServiceProvider what our idp does for it besides
 * @param asIdentityProvider how our sp uses it
 */
public record PartnerConfig(
    String entityId,
    Optional<String> displayName,
    MetadataSource metadata,
    Map<String, Release> release,
    NameIdFormat nameId,
    Logout logout,
    AsServiceProvider asServiceProvider,
    AsIdentityProvider asIdentityProvider) {

  /**
   * A released attribute.
   *
   * @param source directory attribute, {@code roles} or {@code groups}
   * @param scope appended to each value as {@code value@scope}
   */
  public record Release(String source, Optional<String> scope) {
    public static Release of(String source) {
      return new Release(source, Optional.empty());
    }
  }

  /** How logout messages travel. */
  public enum Logout {
    /** Through the browser, by Redirect or POST. */
    FRONT,
    /** From server to server. */
    SOAP
  }

  /**
   * A partner as a service provider of our idp's.
   *
   * @param encrypt what is encrypted for it; it must publish an encryption key then
   * @param consent whether the person is asked before anything is released
   * @param contract the least login contract, by name; any where empty
   * @param credentialRelease whether it gets the password of the login, for the forms of its apps; assertions to it are
   *     encrypted then
   */
  public record AsServiceProvider(
      Set<Encrypted> encrypt, boolean consent, Optional<String> contract, boolean credentialRelease) {

    public AsServiceProvider {
      if (credentialRelease && !encrypt.contains(Encrypted.ASSERTION)) {
        throw new IllegalArgumentException("a password would be released in plain text");
      }
    }

    /** One that gets no password. */
    public AsServiceProvider(Set<Encrypted> encrypt, boolean consent, Optional<String> contract) {
      this(encrypt, consent, contract, false);
    }

    /** Nothing special. */
    public static final AsServiceProvider PLAIN = new AsServiceProvider(Set.of(), false, Optional.empty());
  }

  /** What can be encrypted (SAML Core 2.2.4, 2.3.4, 2.7.3.2). */
  public enum Encrypted {
    ASSERTION,
    NAME_ID,
    ATTRIBUTES
  }

  /**
   * A partner as an identity provider of our sp's.
   *
   * @param request how AuthnRequests are sent
   * @param response how its Responses are to come
   * @param requestNameId the NameID format to ask for; none where empty
   * @param link how its people become people of ours
   * @param scopes that it may use in scoped attributes, besides those in its metadata
   * @param accept attribute name to the values that count, {@code *} for any run of characters; what is not listed here has no
   *     filter
   */
  public record AsIdentityProvider(
      RequestBinding request,
      ResponseBinding response,
      Optional<NameIdFormat> requestNameId,
      Link link,
      List<String> scopes,
      Map<String, List<String>> accept) {
    /** Redirect there, POST back, no link. */
    public static final AsIdentityProvider PLAIN =
        new AsIdentityProvider(
            RequestBinding.REDIRECT, ResponseBinding.POST, Optional.empty(), new Link.None(), List.of(), Map.of());
  }

  /** How an AuthnRequest travels (SAML Profiles 4.1.2). */
  public enum RequestBinding {
    REDIRECT,
    POST,
    ARTIFACT
  }

  /** How a Response travels (SAML Profiles 4.1.2: never by Redirect). */
  public enum ResponseBinding {
    POST,
    ARTIFACT
  }

  /** Account linking (persistent federation): which person of ours its NameID means. */
  public sealed interface Link {
    /** The partner says who the person is. */
    record None() implements Link {}

    /** The first login links to the one person of our directory whose attribute has the value of the SAML attribute. */
    record ByAttribute(String samlAttribute, String directoryAttribute) implements Link {}

    /** The first login links to the person who then logs in here, too. */
    record ByLogin() implements Link {}
  }

  /** Where the partner's metadata comes from. */
  public sealed interface MetadataSource {
    /** A file; re-read when it changes. */
    record File(Path path, Optional<Path> verifyWith) implements MetadataSource {}

    /**
     * A URL; {@code http:} only with {@code verifyWith} or to loopback.
     *
     * @param verifyWith PEM certificate whose key signed the document
     * @param refresh at the latest after this long
     */
    record Url(URI url, Optional<Path> verifyWith, Duration refresh) implements MetadataSource {}
  }

  /** NameID formats that can be configured (SAML Core 8.3). */
  public enum NameIdFormat {
    TRANSIENT("urn:oasis:names:tc:SAML:2.0:nameid-format:transient"),
    PERSISTENT("urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"),
    EMAIL("urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress");

    private final String uri;

    NameIdFormat(String uri) {
      this.uri = uri;
    }

    public String uri() {
      return uri;
    }

    /** The format with that URI. */
    public static Optional<NameIdFormat> ofUri(String uri) {
      return List.of(values()).stream().filter(f -> f.uri.equals(uri)).findFirst();
    }
  }
}
