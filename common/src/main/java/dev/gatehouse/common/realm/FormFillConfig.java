package dev.gatehouse.common.realm;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How the login form of an app is recognised, filled with a person's credentials and submitted by the gateway.
 *
 * @param app under which name people keep their secrets for it; the route's where not configured
 * @param form what is taken for the login form
 * @param fields names of the form's controls and what goes into them; never empty
 * @param post how it is submitted where the page's own script would do it; as the form says where empty
 * @param failure what says that the app did not accept it, besides the form itself and any status from 400 on
 * @param landing where the person goes after a login; where the app sends them, where empty
 * @param perSession how often in one session a form may be filled
 */
public record FormFillConfig(
    String app,
    FormRule form,
    Map<String, Source> fields,
    Optional<Post> post,
    Failure failure,
    Optional<String> landing,
    int perSession) {

  /**
   * What a page must be like to be the login page, and which of its forms it is.
   *
   * @param path of the page; {@code *} stands for any characters
   * @param status of the response that holds it
   * @param id the form's {@code id}, where it is to count
   * @param name likewise
   * @param action the path to which the form is sent; the page's own where empty
   * @param fields controls that must be there besides those that are filled
   */
  public record FormRule(
      String path, Set<Integer> status, Optional<String> id, Optional<String> name, Optional<String> action,
      List<String> fields) {}

  /** Where a value comes from. */
  public sealed interface Source {
    /** The person's user name. */
    record User() implements Source {}

    /** The password of the login at the identity provider, where that gives it to us. */
    record Password() implements Source {}

    /** What the person has stored under that name for the app. */
    record Stored(String name) implements Source {}

    /** An attribute with exactly one value. */
    record Attribute(String name) implements Source {}

    /** Always the same. */
    record Literal(Secret text) implements Source {}

    /** What a control of the page holds that the person does not fill in: for {@link Post}. */
    record Control(String name) implements Source {}
  }

  /** How {@link Post#fields} are written. */
  public enum Type {
    FORM,
    JSON
  }

  /**
   * The request that a page's script would make.
   *
   * @param url a path of the app's
   */
  public record Post(String url, Type type, Map<String, Source> fields) {}

  /**
   * Signs of a login that failed.
   *
   * @param status of the answer
   * @param location of a redirection; {@code *} stands for any characters
   * @param text in the answer's page
   */
  public record Failure(Set<Integer> status, Optional<String> location, Optional<String> text) {
    /** No sign of its own. */
    public static final Failure NONE = new Failure(Set.of(), Optional.empty(), Optional.empty());
  }

  /** What is sent: of the form, or of {@link #post}. */
  public Map<String, Source> sent() {
    return post.map(Post::fields).orElse(fields);
  }

  /** The names of what the person has to store. */
  public List<String> stored() {
    return sent().values().stream()
        .flatMap(source -> source instanceof Source.Stored(String stored) ? Stream.of(stored) : Stream.empty())
        .distinct()
        .toList();
  }

  /** Whether the password of the login is needed. */
  public boolean needsPassword() {
    return sent().values().stream().anyMatch(Source.Password.class::isInstance);
  }
}
