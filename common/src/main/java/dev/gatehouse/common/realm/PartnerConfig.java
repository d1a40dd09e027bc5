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
 * @param displayName shown to people on logout receipts and the account page; the entity ID if absent
 * @param release attributes that our idp releases to it, by SAML attribute name. Nothing else is released
 * @param nameId format that our idp uses if the AuthnRequest requests none
 * @param logout the preferred channel if its metadata offer both
 * @param asServiceProvider settings of our idp for it
 * @param asIdentityProvider settings of our sp for it
 * @param plainHttp whether endpoints of its metadata count that have no TLS or are on this machine
 */
public record PartnerConfig(
    String entityId,
    Optional<String> displayName,
    MetadataSource metadata,
    Map<String, Release> release,
    NameIdFormat nameId,
    Logout logout,
    AsServiceProvider asServiceProvider,
    AsIdentityProvider asIdentityProvider,
    boolean plainHttp) {

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

  /** The channel of logout messages. */
  public enum Logout {
    /** Through the browser, by Redirect or POST. */
    FRONT,
    /** From server to server. */
    SOAP
  }

  /**
   * A partner as a service provider of our idp.
   *
   * @param encrypt what is encrypted for it; it must then publish an encryption key
   * @param consent whether the person is asked before anything is released
   * @param contract the weakest permitted login contract, by name; any if empty
   * @param credentialRelease whether it receives the password of the login, for the forms of its apps; assertions to it must
   *     then be encrypted
   */
  public record AsServiceProvider(
      Set<Encrypted> encrypt, boolean consent, Optional<String> contract, boolean credentialRelease) {

    public AsServiceProvider {
      if (credentialRelease && !encrypt.contains(Encrypted.ASSERTION)) {
        throw new IllegalArgumentException("a password would be released in plain text");
      }
    }

    /** Creates settings for a partner that receives no password. */
    public AsServiceProvider(Set<Encrypted> encrypt, boolean consent, Optional<String> contract) {
      this(encrypt, consent, contract, false);
    }

    /** The defaults. */
    public static final AsServiceProvider PLAIN = new AsServiceProvider(Set.of(), false, Optional.empty());
  }

  /** The elements that can be encrypted (SAML Core 2.2.4, 2.3.4, 2.7.3.2). */
  public enum Encrypted {
    ASSERTION,
    NAME_ID,
    ATTRIBUTES
  }

  /**
   * A partner as an identity provider of our sp.
   *
   * @param request the binding of AuthnRequests
   * @param response the binding of its Responses
   * @param requestNameId the NameID format to request; none if empty
   * @param link how its people are mapped to our people
   * @param scopes that it may use in scoped attributes; empty for those in its metadata
   * @param accept attribute name to the accepted values, {@code *} for any run of characters; an attribute that is not listed is
   *     not filtered
   */
  public record AsIdentityProvider(
      RequestBinding request,
      ResponseBinding response,
      Optional<NameIdFormat> requestNameId,
      Link link,
      List<String> scopes,
      Map<String, List<String>> accept) {
    /** Requests by Redirect, Responses by POST, no link. */
    public static final AsIdentityProvider PLAIN =
        new AsIdentityProvider(
            RequestBinding.REDIRECT, ResponseBinding.POST, Optional.empty(), new Link.None(), List.of(), Map.of());
  }

  /** The binding of an AuthnRequest (SAML Profiles 4.1.2). */
  public enum RequestBinding {
    REDIRECT,
    POST,
    ARTIFACT
  }

  /** The binding of a Response (SAML Profiles 4.1.2: never Redirect). */
  public enum ResponseBinding {
    POST,
    ARTIFACT
  }

  /** Account linking (persistent federation): how a NameID is mapped to one of our people. */
  public sealed interface Link {
    /** No mapping: the partner identifies the person. */
    record None() implements Link {}

    /** The first login links to the one person of our directory whose attribute has the value of the SAML attribute. */
    record ByAttribute(String samlAttribute, String directoryAttribute) implements Link {}

    /** The first login links to the person who then logs in here too. */
    record ByLogin() implements Link {}
  }

  /** The origin of the partner's metadata. */
  public sealed interface MetadataSource {
    /** A file; re-read when it changes. */
    record File(Path path, Optional<Path> verifyWith) implements MetadataSource {}

    /**
     * A URL; {@code http:} only with {@code verifyWith} or to loopback.
     *
     * @param verifyWith PEM certificate whose key signed the document
     * @param refresh the longest interval between two fetches
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

    /** Returns the format with that URI. */
    public static Optional<NameIdFormat> ofUri(String uri) {
      return List.of(values()).stream().filter(f -> f.uri.equals(uri)).findFirst();
    }
  }
}
