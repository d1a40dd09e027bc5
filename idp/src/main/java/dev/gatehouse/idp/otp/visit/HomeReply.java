package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Exchange;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.common.throttle.LoginNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What a home says about one of its people. */
sealed interface HomeReply {

  Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,128}");
  /** A PIN, or what a token is to answer. */
  Pattern SHOWN = Pattern.compile("[A-Za-z0-9]{1,64}");

  Pattern REFERENCE = Pattern.compile("[A-Za-z0-9_-]{1,128}");

  /** A name with a suffix would be one of another realm; what is not seen, or turns the text around, would make it look like another. */
  Pattern NAME = Pattern.compile("(?U)([^@\\p{C}\\p{Z}]| ){1,256}");

  Pattern ATTRIBUTE = Pattern.compile("[A-Za-z0-9_.:/-]{1,128}");

  Pattern VALUE = Pattern.compile("(?U)[^\\p{C}]{1," + Exchange.LONGEST + "}");

  /**
   * It lets the person in.
   *
   * @param id by which it knows the person towards this realm alone
   * @param name without suffix
   * @param attributes that it tells, whatever counts here
   */
  record Accepted(String id, String name, Map<String, List<String>> attributes) implements HomeReply {}

  /** It does not; its own audit log says why. */
  record Rejected() implements HomeReply {}

  /** It wants to know more first. */
  record Challenged(Question question, String reference, Optional<String> shown) implements HomeReply {}

  /** Nothing that counts. */
  record Missing(Reason reason) implements HomeReply {}

  /** Reads an answer. Whatever is not exactly of the form counts as none. */
  static HomeReply of(Answer answer) {
    return switch (answer) {
      case Answer.Failed failed -> new Missing(Reason.HOME_UNAVAILABLE);
      case Answer.Received(int status, byte[] body, Optional<String> location) when status == 200 ->
          StrictJson.object(body).flatMap(HomeReply::decision).orElse(new Missing(Reason.HOME_ANSWER_INVALID));
      case Answer.Received(int status, byte[] body, Optional<String> location) when status == 429 || status >= 500 ->
          new Missing(Reason.HOME_UNAVAILABLE);
      case Answer.Received received -> new Missing(Reason.HOME_DISTRUSTS_US);
    };
  }

  private static Optional<HomeReply> decision(Map<String, Object> json) {
    return switch (json.get("result") instanceof String word ? word : "") {
      case "accept" ->
          text(json, "sub", ID).flatMap(id -> name(json).flatMap(name -> attributes(json).map(told -> new Accepted(id, name, told))));
      case "reject" -> Optional.of(new Rejected());
      case "challenge" ->
          text(json, "challenge", REFERENCE).flatMap(reference -> question(json).map(asked -> new Challenged(asked, reference, text(json, "shown", SHOWN))));
      default -> Optional.empty();
    };
  }

  private static Optional<String> name(Map<String, Object> json) {
    return text(json, "name", NAME).filter(name -> !name.isBlank() && LoginNames.sought(name).equals(name));
  }

  /** An answer that tells more than it may, or something else, is none: nobody knows what the rest of it is worth. */
  private static Optional<Map<String, List<String>>> attributes(Map<String, Object> json) {
    if (!json.containsKey("attributes")) {
      return Optional.of(Map.of());
    }
    if (!(json.get("attributes") instanceof Map<?, ?> members) || members.size() > Exchange.MOST_NAMES) {
      return Optional.empty();
    }
    Map<String, List<String>> told = new TreeMap<>();
    for (Map.Entry<?, ?> member : members.entrySet()) {
      if (!(member.getKey() instanceof String name && ATTRIBUTE.matcher(name).matches())
          || !(member.getValue() instanceof List<?> values && values.size() <= Exchange.MOST_VALUES)
          || !values.stream().allMatch(value -> value instanceof String text && VALUE.matcher(text).matches())) {
        return Optional.empty();
      }
      told.put(name, values.stream().map(String.class::cast).toList());
    }
    return Optional.of(told);
  }

  private static Optional<Question> question(Map<String, Object> json) {
    return Arrays.stream(Question.values()).filter(question -> question.name().equals(json.get("question"))).findFirst();
  }

  private static Optional<String> text(Map<String, Object> json, String name, Pattern form) {
    return json.get(name) instanceof String text && form.matcher(text).matches() ? Optional.of(text) : Optional.empty();
  }
}
