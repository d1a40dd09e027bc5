package dev.gatehouse.common.admin;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a login would tell a partner about a person, and why each value is released or withheld.
 *
 * @param partner entity ID or client ID
 * @param person the directory's id
 * @param name the login name
 * @param subject the identifier under which the partner would know the person
 * @param missing names of attributes that the partner requires and would not get
 * @param problems why the login would be refused, one sentence each
 */
public record ReleaseView(
    String partner,
    String person,
    String name,
    ReleaseSubject subject,
    ReleaseConsent consent,
    List<ReleasedValue> values,
    List<String> missing,
    List<String> problems) {

  /**
   * An identifier of the person.
   *
   * @param format URI of a NameID format, {@code public} or {@code pairwise}
   * @param value absent if it is only made at a login
   */
  public record ReleaseSubject(String format, Optional<String> value) {}

  /**
   * The person's consent.
   *
   * @param decision {@code not-needed}, {@code given} or {@code missing}
   * @param since when it was given
   * @param names what it must cover
   */
  public record ReleaseConsent(String decision, Optional<Instant> since, List<String> names) {}

  /**
   * A value, or a name without any.
   *
   * @param name of the attribute or claim
   * @param value absent if the person has none, and where nothing would be shown to the partner in any case
   * @param source the attribute of the directory, {@code roles}, {@code groups} or {@code password}; absent if none is configured
   * @param grounds what asks for it: {@code release}, {@code attributes INDEX}, {@code scope NAME}, {@code claims}
   * @param places where it would appear: {@code assertion}, {@code id_token}, {@code id_token without access token}, {@code userinfo},
   *     {@code access_token}; empty if it is withheld
   * @param withheld why: a word of {@link Withheld}
   */
  public record ReleasedValue(
      String name,
      Optional<String> value,
      Optional<String> source,
      List<String> grounds,
      List<String> places,
      Optional<String> withheld) {

    /** Returns a value that is released. */
    public static ReleasedValue released(
        String name, String value, Optional<String> source, List<String> grounds, List<String> places) {
      return new ReleasedValue(name, Optional.of(value), source, grounds, places, Optional.empty());
    }

    /** Returns a value, or a name without any, that is not released. */
    public static ReleasedValue withheld(
        String name, Optional<String> value, Optional<String> source, List<String> grounds, Withheld reason) {
      return new ReleasedValue(name, value, source, grounds, List.of(), Optional.of(reason.word()));
    }
  }

  /** Why a value is withheld. */
  public enum Withheld {
    /** No rule of the partner, or no claim of the realm, has it. */
    NOT_CONFIGURED,
    /** The request does not ask for the attribute or claim. */
    NOT_REQUESTED,
    /** The request asks for other values of the attribute only. */
    VALUE_NOT_REQUESTED,
    /** It has an {@code @}, and the rule appends a scope. */
    HAS_SCOPE,
    /** The person has no such value. */
    NO_VALUE,
    /** It is not of the claim's type. */
    UNREADABLE,
    /** It belongs to a scope that the client may not have. */
    SCOPE_NOT_ALLOWED,
    /** It would appear in the ID token and at UserInfo, which need the scope {@code openid}. */
    OPENID_NOT_REQUESTED,
    /** It is sent after a login with it, and not from a session. */
    LOGIN_ONLY;

    /** Returns the word in the administration API. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
