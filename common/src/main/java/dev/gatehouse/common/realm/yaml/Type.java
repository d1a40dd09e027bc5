package dev.gatehouse.common.realm.yaml;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.Secret;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The type of a scalar: how it is read, and how it is described to people and editors.
 *
 * @param words names the type on the reference page, with bounds and units
 * @param schema its JSON Schema
 * @param parser returns the typed value, or nothing after reporting the problem
 * @param reach what its values are to the node, if they are hosts or URLs
 */
public record Type<T>(String words, Map<String, Object> schema, Function<YamlValue, Optional<T>> parser, Optional<Reach> reach) {

  /** The text in place of a secret in everything that is shown. No secret is this text. */
  public static final String SECRET_MASK = "***";

  private static final String SECRET_WORDS = "secret";
  private static final String SOURCE_WORDS = "source, or {secret: NAME}";
  private static final String SECRET_FILE_WORDS = "secret file";
  private static final Map<String, Object> STRING = Map.of("type", "string");

  public static final Type<Boolean> BOOL = new Type<>("`true` or `false`", Map.of("type", "boolean"), YamlValue::bool);

  /** Text, which YAML may take for a number. */
  public static final Type<String> TEXT = text("text", YamlValue::string);

  public static final Type<String> NAME = text("name", YamlValue::name);
  public static final Type<Secret> SECRET = secret(YamlValue::secret);
  public static final Type<URI> URL = matching("URL", "^[Hh][Tt][Tt][Pp][Ss]?://", YamlValue::url);
  public static final Type<Origin> ORIGIN = matching("origin", "^[Hh][Tt][Tt][Pp][Ss]?://[^/?#]+/?$", YamlValue::origin);

  /** A URL to which only browsers go. */
  public static final Type<URI> LINK = URL.reaching(Reach.NAME_ONLY);

  /** A URL that the node itself connects to. */
  public static final Type<URI> OUTBOUND_URL = URL.reaching(Reach.OUTBOUND);

  /** An origin at which people reach the realm. */
  public static final Type<Origin> OWN_ORIGIN = ORIGIN.reaching(Reach.HOST);

  /** A name that is only compared, even if it is a URL. */
  public static final Type<String> ENTITY_ID =
      matching("URI", "^[A-Za-z][A-Za-z0-9+.-]*:", YamlValue::entityId).reaching(Reach.NAME_ONLY);

  public static final Type<InetAddress> ADDRESS = string("address", YamlValue::address);
  public static final Type<Cidr> CIDR = matching("address or block of addresses", "^[0-9A-Fa-f:.]+(/\\d{1,3})?$", YamlValue::cidr);
  public static final Type<String> DN = matching("DN", "=", YamlValue::dn);
  public static final Type<String> LDAP_ATTRIBUTE = string("LDAP attribute", YamlValue::ldapAttribute);

  /** A path that need not exist. */
  public static final Type<Path> PATH = string("path", value -> Optional.of(value.path()));

  /** A path whose file the reader of the key checks. */
  public static final Type<YamlValue> FILE = string("file", Optional::of);

  /** A path of a file with a secret, or {@code {secret: NAME}}. The reader of the key checks the file. */
  public static final Type<YamlValue> SECRET_FILE = string(SECRET_FILE_WORDS, Optional::of);

  /** Creates a type of values that are neither hosts nor URLs. */
  public Type(String words, Map<String, Object> schema, Function<YamlValue, Optional<T>> parser) {
    this(words, schema, parser, Optional.empty());
  }

  /** Returns this type for hosts or URLs that are that to the node. */
  public Type<T> reaching(Reach what) {
    return new Type<>(words, schema, parser, Optional.of(what));
  }

  /** Returns a type of strings that are not numbers. */
  public static <T> Type<T> string(String words, Function<YamlValue, Optional<T>> parser) {
    return new Type<>(words, STRING, parser);
  }

  /** Returns a type of text, which YAML may take for a number or a boolean value. */
  public static <T> Type<T> text(String words, Function<YamlValue, Optional<T>> parser) {
    return new Type<>(words, Map.of("type", List.of("string", "number", "boolean")), parser);
  }

  /** Returns a type of text that is never shown: see {@link #isSecret}. */
  public static <T> Type<T> secret(Function<YamlValue, Optional<T>> parser) {
    return text(
        SECRET_WORDS,
        v ->
            v.text().equals(SECRET_MASK)
                ? v.wrong("is the text that stands for a secret in exported files", "write the secret itself, or ${NAME}")
                : parser.apply(v));
  }

  /** Returns a type of texts that say where a value comes from, and for which a named secret may stand: it is the value itself. */
  public static <T> Type<T> source(Function<YamlValue, Optional<T>> parser) {
    return text(SOURCE_WORDS, parser);
  }

  /** Returns whether {@code {secret: NAME}} may stand for values of the type. */
  public boolean takesSecret() {
    return isSecret() || isSecretFile() || words.equals(SOURCE_WORDS);
  }

  /** Returns whether values of the type must not be shown to anybody. */
  public boolean isSecret() {
    return words.equals(SECRET_WORDS);
  }

  /** Returns whether values of the type name files whose content must not be shown to anybody. */
  public boolean isSecretFile() {
    return words.equals(SECRET_FILE_WORDS);
  }

  /** Returns a type of strings in which editors find that pattern; the parser decides. */
  public static <T> Type<T> matching(String words, String pattern, Function<YamlValue, Optional<T>> parser) {
    return new Type<>(words, JsonSchema.fields("type", "string", "pattern", pattern), parser);
  }

  /** Returns the type of texts that match the pattern as a whole; others get that message and remedy. */
  public static Type<String> matching(String words, String pattern, String message, String remedy) {
    Pattern whole = Pattern.compile(pattern);
    return matching(
        words,
        "^(" + pattern + ")$",
        v -> whole.matcher(v.text()).matches() ? Optional.of(v.text()) : v.wrong(v.shown() + " " + message, remedy));
  }

  public static Type<Integer> integer(int least, int most) {
    return new Type<>(
        "number, " + least + " to " + most,
        JsonSchema.fields("type", "integer", "minimum", least, "maximum", most),
        v -> v.integer(least, most));
  }

  /** Returns the type of durations within bounds, which are in the notation of the configuration. */
  public static Type<Duration> duration(String least, String most) {
    Duration from = Durations.parse(least).orElseThrow();
    Duration to = Durations.parse(most).orElseThrow();
    return matching(
        "duration, " + least + " to " + most,
        "^(\\d{1,9}(ms|s|m|h|d))+$|^P(\\d+D)?(T(\\d+H)?(\\d+M)?([\\d.]+S)?)?$",
        v -> v.duration(from, to));
  }

  /** Returns the type of sizes in bytes within bounds, which are in KB. */
  public static Type<Long> size(long leastKb, long maxKb) {
    String words = "size, " + sizeText(leastKb) + " to " + sizeText(maxKb);
    return matching(words, "^\\d{1,9} ?(KB|MB|GB)$", v -> v.size(leastKb << 10, maxKb << 10));
  }

  private static String sizeText(long kb) {
    return kb % (1 << 20) == 0 ? (kb >> 20) + "GB" : kb % (1 << 10) == 0 ? (kb >> 10) + "MB" : kb + "KB";
  }

  /** Returns the type of an enum's constants, written in camel case. */
  public static <E extends Enum<E>> Type<E> choice(Class<E> type) {
    return choice(Type::camelCase, type.getEnumConstants());
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <T> Type<T> choice(Function<? super T, String> word, T... values) {
    return choice(table(word, values), Map.of());
  }

  /** Returns the values by their words, in order. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public static <T> Map<String, T> table(Function<? super T, String> word, T... values) {
    Map<String, T> table = new LinkedHashMap<>();
    Arrays.asList(values).forEach(value -> table.put(word.apply(value), value));
    return table;
  }

  public static Type<String> words(String... words) {
    return choice(word -> word, words);
  }

  /**
   * Returns the type of these words, which are compared without case, and with underscores for hyphens.
   *
   * @param aliases further words that are read, but neither recommended nor shown
   */
  public static <T> Type<T> choice(Map<String, T> words, Map<String, T> aliases) {
    List<Object> forms = new ArrayList<>();
    // YAML reads some words as numbers or boolean values.
    forms.add(Map.of("enum", words.keySet().stream().map(Type::scalar).toList()));
    String any =
        Stream.concat(words.keySet().stream(), aliases.keySet().stream())
            .map(Type::anyCase)
            .collect(Collectors.joining("|", "^(", ")$"));
    forms.add(JsonSchema.fields("type", "string", "pattern", any, "deprecated", true));
    String shown = words.keySet().stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
    return new Type<>(shown, Map.of("anyOf", forms), v -> v.choice(words, aliases));
  }

  private static Object scalar(String word) {
    return word.matches("\\d+") ? (Object) Integer.valueOf(word) : word;
  }

  private static String anyCase(String word) {
    return word.chars()
        .mapToObj(
            c ->
                c == '-' || c == '_'
                    ? "[-_]"
                    : Character.isLetter(c)
                        ? "[" + (char) Character.toLowerCase(c) + (char) Character.toUpperCase(c) + "]"
                        : Pattern.matches("[0-9:]", "" + (char) c) ? "" + (char) c : "\\" + (char) c)
        .collect(Collectors.joining());
  }

  public static String camelCase(Enum<?> constant) {
    String[] parts = constant.name().toLowerCase(Locale.ROOT).split("_", -1);
    return parts[0]
        + Arrays.stream(parts).skip(1).map(p -> p.substring(0, 1).toUpperCase(Locale.ROOT) + p.substring(1)).collect(Collectors.joining());
  }

  /** Returns this type with a further condition or conversion. */
  public <R> Type<R> then(String how, Conversion<T, R> conversion) {
    return new Type<>(how, schema, value -> parser.apply(value).flatMap(read -> conversion.apply(value, read)), reach);
  }

  /** Converts the parsed value, or reports its problem. */
  public interface Conversion<T, R> {
    Optional<R> apply(YamlValue value, T read);
  }
}
