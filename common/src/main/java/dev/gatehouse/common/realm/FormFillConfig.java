package dev.gatehouse.common.realm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Describes how the login form of an app is recognised, filled with a person's credentials and submitted by the gateway.
 *
 * @param app the name under which people store their secrets for it; the route's name if not configured
 * @param form recognises the login form
 * @param fields names of the form's controls to their values; never empty
 * @param post the request that replaces the form's, if the page's script sends the login; the form's own if empty
 * @param failure recognises a refused login, in addition to the form itself and any status from 400 on
 * @param successUrl where the person goes after a login; where the app sends them if empty
 * @param perSession how often a form may be filled in one session
 */
public record FormFillConfig(
    String app,
    FormRule form,
    Map<String, Source> fields,
    Optional<Post> post,
    Failure failure,
    Optional<String> successUrl,
    int perSession) {

  /**
   * Recognises the login page and the form in it.
   *
   * @param path of the page; {@code *} stands for any characters
   * @param status of the response with the page
   * @param id the form's {@code id}, if it must match
   * @param name the form's {@code name}, if it must match
   * @param action the path to which the form is sent; the page's own if empty
   * @param fields controls that must exist in addition to those that are filled
   */
  public record FormRule(
      String path, Set<Integer> status, Optional<String> id, Optional<String> name, Optional<String> action,
      List<String> fields) {}

  /** The origin of a value. */
  public sealed interface Source {
    /** The person's user name. */
    record User() implements Source {}

    /** The password of the login at the identity provider, if that releases it to us. */
    record Password() implements Source {}

    /** A secret that the person has stored under that name for the app. */
    record Stored(String name) implements Source {}

    /** An attribute with exactly one value. */
    record Attribute(String name) implements Source {}

    /** A constant. */
    record Literal(Secret text) implements Source {}

    /** The value of a control that the person does not fill in, for {@link Post}. */
    record Control(String name) implements Source {}
  }

  /** The encoding of {@link Post#fields}. */
  public enum Type {
    FORM,
    JSON
  }

  /**
   * The request that the page's script would send.
   *
   * @param url a path of the app
   */
  public record Post(String url, Type type, Map<String, Source> fields) {}

  /**
   * Signs of a failed login.
   *
   * @param status of the response
   * @param location of a redirect; {@code *} stands for any characters
   * @param text contained in the response's page
   */
  public record Failure(Set<Integer> status, Optional<String> location, Optional<String> text) {
    /** No further signs. */
    public static final Failure NONE = new Failure(Set.of(), Optional.empty(), Optional.empty());
  }

  /** Returns the fields to be sent: those of {@link #post}, or those of the form. */
  public Map<String, Source> sent() {
    return post.map(Post::fields).orElse(fields);
  }

  /** Returns the names of the secrets that the person must store. */
  public List<String> stored() {
    return sent().values().stream()
        .flatMap(source -> source instanceof Source.Stored(String stored) ? Stream.of(stored) : Stream.empty())
        .distinct()
        .toList();
  }

  /** Returns whether the password of the login is needed. */
  public boolean needsPassword() {
    return sent().values().stream().anyMatch(Source.Password.class::isInstance);
  }
}
