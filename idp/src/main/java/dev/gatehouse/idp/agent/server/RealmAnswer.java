package dev.gatehouse.idp.agent.server;

import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.radius.RadiusTexts;
import java.util.Optional;

/** What an agent knows about a passcode after it asked. */
public sealed interface RealmAnswer {

  /**
   * The person is who they say.
   *
   * @param name the login name as the realm's directory has it
   * @param ticket for days without a server, if the realm allows the agent some
   */
  record Accepted(String name, Optional<String> ticket) implements RealmAnswer {}

  /** The passcode does not count; only the realm's audit log has the reason. */
  record Rejected() implements RealmAnswer {}

  /**
   * The person has to answer a question.
   *
   * @param reference names the challenge, for {@link Asked#challenge()}
   * @param shown to the person: a PIN that the server has made, or what a token is to answer
   * @param pin what a new PIN may be, if the server says it
   */
  record Challenged(Question question, String reference, Optional<String> shown, Optional<RadiusTexts.PinBounds> pin)
      implements RealmAnswer {

    /** A question about no new PIN. */
    public Challenged(Question question, String reference, Optional<String> shown) {
      this(question, reference, shown, Optional.empty());
    }
  }

  /**
   * A server got the passcode, or may have got it, and gave no answer. The code may be used up, and a wrong one counted: nobody else is
   * asked about it, and the person types the next code.
   */
  record Unknown() implements RealmAnswer {}

  /**
   * No server took the passcode: nothing was decided, and the same one may be asked about again.
   *
   * @param isReached whether a server may be there: one answered, and decides nothing now, or nothing for this agent. Otherwise each server
   *     was tried for this very passcode, and none answered.
   */
  record Unavailable(boolean isReached) implements RealmAnswer {}
}
