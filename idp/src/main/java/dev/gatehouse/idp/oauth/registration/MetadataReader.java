package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import dev.gatehouse.common.http.Loopback;

/**
 * Reads a client's metadata (RFC 7591, section 2). Only members that are read are registered; all others are ignored.
 * The first problem is stored; members after it are read as if they were missing.
 */
final class MetadataReader {

  private static final int MAX_CHARACTERS = 2_000;
  private static final int MAX_VALUES = 50;

  private final Map<String, Object> sent;
  private final Map<String, Object> registered = new LinkedHashMap<>();
  private Optional<OAuthError> problem = Optional.empty();

  MetadataReader(Map<String, Object> sent) {
    this.sent = sent;
  }

  Optional<OAuthError> problem() {
    return problem;
  }

  /** The members that were read, with the chosen defaults. */
  Map<String, Object> registered() {
    return registered;
  }

  void wrong(String name, String what) {
    wrong(Code.INVALID_CLIENT_METADATA, name, what);
  }

  void wrong(Code code, String name, String what) {
    if (problem.isEmpty()) {
      problem = Optional.of(OAuthError.of(code, name + " " + what));
    }
  }

  boolean has(String name) {
    return sent.containsKey(name);
  }

  /** Registers a value that follows from others. */
  void register(String name, Object value) {
    registered.put(name, value);
  }

  Optional<String> text(String name) {
    Optional<Object> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (!(value.get() instanceof String text) || text.length() > MAX_CHARACTERS || !isClean(text)) {
      wrong(name, "is not a short text");
      return Optional.empty();
    }
    registered.put(name, text);
    return Optional.of(text);
  }

  /** Reads one of these words and returns its value. */
  <T> Optional<T> choice(String name, Map<String, T> words) {
    Optional<String> text = text(name);
    Optional<T> chosen = text.flatMap(word -> Optional.ofNullable(words.get(word)));
    if (text.isPresent() && chosen.isEmpty()) {
      wrong(name, "is not one that is supported here");
    }
    return chosen;
  }

  List<String> texts(String name) {
    return texts(name, List.of());
  }

  List<String> texts(String name, List<String> usual) {
    Optional<Object> value = value(name);
    List<String> texts = new ArrayList<>(usual);
    if (value.isPresent()) {
      texts.clear();
      if (!(value.get() instanceof List<?> list) || list.size() > MAX_VALUES) {
        wrong(name, "is not a short list of texts");
        return List.of();
      }
      for (Object one : list) {
        if (!(one instanceof String text) || text.length() > MAX_CHARACTERS || !isClean(text)) {
          wrong(name, "is not a short list of texts");
          return List.of();
        }
        texts.add(text);
      }
    }
    if (value.isPresent() || !usual.isEmpty()) {
      registered.put(name, List.copyOf(texts));
    }
    return texts;
  }

  boolean flag(String name) {
    Optional<Object> value = value(name);
    if (value.isEmpty()) {
      return false;
    }
    if (!(value.get() instanceof Boolean flag)) {
      wrong(name, "is not true or false");
      return false;
    }
    registered.put(name, flag);
    return flag;
  }

  Optional<Long> seconds(String name, long most) {
    Optional<Object> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (!(value.get() instanceof Integer number) || number < 0 || number > most) {
      wrong(name, "is not a number of seconds up to " + most);
      return Optional.empty();
    }
    registered.put(name, number);
    return Optional.of(number.longValue());
  }

  /** Reads an https URL, or an http URL on loopback, without a user name. */
  Optional<URI> url(String name) {
    return text(name).flatMap(text -> url(name, text));
  }

  List<URI> urls(String name) {
    return texts(name).stream().flatMap(text -> url(name, text).stream()).toList();
  }

  private Optional<URI> url(String name, String text) {
    try {
      URI uri = new URI(text);
      boolean whole = uri.getHost() != null && uri.getRawUserInfo() == null && uri.getScheme() != null;
      boolean safe =
          whole
              && (uri.getScheme().equalsIgnoreCase("https")
                  || uri.getScheme().equalsIgnoreCase("http") && Loopback.isName(uri.getHost()));
      if (safe) {
        return Optional.of(uri);
      }
    } catch (URISyntaxException e) {
      // The same message follows below.
    }
    wrong(name, "is not an https address");
    return Optional.empty();
  }

  /** Reads an object, for example a JWK Set. */
  Optional<Map<?, ?>> object(String name) {
    Optional<Object> value = value(name);
    if (value.isEmpty()) {
      return Optional.empty();
    }
    if (!(value.get() instanceof Map<?, ?> object)) {
      wrong(name, "is not an object");
      return Optional.empty();
    }
    registered.put(name, object);
    return Optional.of(object);
  }

  private Optional<Object> value(String name) {
    return problem.isPresent() ? Optional.empty() : Optional.ofNullable(sent.get(name));
  }

  /** Excludes control characters, and characters that reverse or hide the text around them. */
  private static boolean isClean(String text) {
    return text.codePoints()
        .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0xfffd);
  }
}
