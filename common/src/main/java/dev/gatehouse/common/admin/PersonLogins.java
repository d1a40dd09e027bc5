package dev.gatehouse.common.admin;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.util.Optional;

/**
 * The login of administrators as people at an identity provider of this node: the authorization code flow of OpenID Connect with PKCE,
 * whose codes are redeemed in this process. Blocks: call on virtual threads only.
 */
public interface PersonLogins {

  /**
   * The OpenID provider of a realm.
   *
   * @param issuer of its authorization responses (RFC 9207)
   */
  record Provider(String issuer, String authorizationEndpoint) {}

  /**
   * What a code is redeemed with (OpenID Connect Core 3.1.3.1; RFC 7636, section 4.5).
   *
   * @param nonce of the authorization request
   */
  record CodeRedemption(String code, String redirectUri, String codeVerifier, String nonce) {
    /** Contains no secret. */
    @Override
    public String toString() {
      return "CodeRedemption[" + redirectUri + "]";
    }
  }

  /**
   * A login of a person.
   *
   * @param name the login name at that time
   * @param authenticatedAt when the person proved who it is, not when the code was issued
   * @param session the session at the identity provider, by its first id
   */
  record PersonLogin(String realm, PersonId person, String name, Instant authenticatedAt, SessionId session) {}

  /** Why a code gives no login. */
  enum Refusal {
    /** The realm has no identity provider on this node. */
    NO_PROVIDER,
    CODE_UNKNOWN,
    /** It was redeemed before. */
    CODE_REPLAYED,
    /** It was issued to another client, for another realm or redirect URI. */
    CODE_OF_ANOTHER,
    CODE_VERIFIER,
    NONCE,
    /** The session at the identity provider has ended, or the person may not log in any more. */
    PERSON_GONE
  }

  /** Returns the realm's OpenID provider; empty if the realm has no identity provider on this node. */
  Optional<Provider> provider(String realm);

  /**
   * Redeems a code. It is used up, whatever the result is.
   *
   * @param request the request that brought the code
   */
  Result<PersonLogin, Refusal> redeem(String realm, EdgeRequest request, CodeRedemption code);

  /**
   * Counts as a use of the session at the identity provider. Returns the person as the directory describes them now; empty if that
   * session has ended or the person is gone.
   */
  Optional<Person> current(EdgeRequest request, PersonLogin login);

  /** Returns whether the directory has the person, and says nothing against a login. Throws {@code DirectoryUnavailable}. */
  boolean isEnabled(String realm, PersonId person);

  /** Returns the person of that realm with that login name or id; empty if there is none. */
  Optional<Person> find(String realm, String nameOrId);
}
