package dev.gatehouse.idp.agent.server;

import dev.gatehouse.idp.agent.server.Outcome.Answered;
import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Challenged;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unknown;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.radius.RadiusTexts.PinBounds;
import java.util.Optional;

/** Reads the decision in an answer of {@code otp/v1/authentications}. */
final class Decision {

  private Decision() {}

  /** @param server that decided, by its place in the list */
  static RealmAnswer of(Answered answered, int server) {
    return switch (answered.text("result").orElse("")) {
      case "accept" -> new Accepted(answered.text("name").orElse(""), answered.text("offline"));
      case "reject" -> new Rejected();
      case "challenge" -> {
        String reference = answered.text("challenge").orElse("");
        yield question(answered.text("question").orElse(""))
            .<RealmAnswer>map(question -> new Challenged(question, new Challenge(server, reference).text(), answered.text("shown"), pin(answered)))
            .orElseGet(Unknown::new);
      }
      default -> new Unknown();
    };
  }

  private static Optional<PinBounds> pin(Answered answered) {
    return answered.number("pinMin").flatMap(least -> answered.number("pinMax").map(most -> new PinBounds(least, most)));
  }

  private static Optional<Question> question(String word) {
    return switch (word) {
      case "nextCode" -> Optional.of(Question.NEXT_CODE);
      case "newPin" -> Optional.of(Question.NEW_PIN);
      case "newPinAgain" -> Optional.of(Question.NEW_PIN_AGAIN);
      case "serverPin" -> Optional.of(Question.SERVER_PIN);
      case "response" -> Optional.of(Question.RESPONSE);
      default -> Optional.empty();
    };
  }
}
