package dev.gatehouse.idp.agent.server;

import dev.gatehouse.idp.agent.server.RealmAnswer.Accepted;
import dev.gatehouse.idp.agent.server.RealmAnswer.Challenged;
import dev.gatehouse.idp.agent.server.RealmAnswer.Rejected;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unavailable;
import dev.gatehouse.idp.agent.server.RealmAnswer.Unknown;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How often passcodes were asked about since the start of the agent, and what became of them. Nobody's name is here. */
public final class Attempts {

  /** Who decided. */
  public enum By {
    SERVER,
    AGENT
  }

  /** What was decided, and why as far as the agent knows: the realm tells no reason of a refusal to anybody. */
  public enum Outcome {
    ACCEPTED(By.SERVER, "accepted", ""),
    REFUSED(By.SERVER, "refused", "not_told"),
    CHALLENGED(By.SERVER, "challenged", ""),
    NO_ANSWER(By.SERVER, "unknown", "no_answer"),
    NOT_DECIDED(By.SERVER, "unavailable", "not_decided"),
    NOT_REACHED(By.AGENT, "unavailable", "no_server"),
    MALFORMED(By.AGENT, "refused", "malformed"),
    ACCEPTED_ALONE(By.AGENT, "accepted", ""),
    WRONG(By.AGENT, "refused", "wrong_passcode"),
    TOO_MANY(By.AGENT, "refused", "too_many_wrong"),
    NOT_HELD(By.AGENT, "unavailable", "no_days"),
    CLOCK(By.AGENT, "unavailable", "clock"),
    AGENT_UNKNOWN(By.AGENT, "unavailable", "agent_unknown"),
    FAULT(By.AGENT, "unavailable", "fault");

    private final By by;
    private final String result;
    private final String reason;

    Outcome(By by, String result, String reason) {
      this.by = by;
      this.result = result;
      this.reason = reason;
    }

    public By by() {
      return by;
    }

    /** Returns {@code accepted}, {@code refused}, {@code challenged}, {@code unknown} or {@code unavailable}. */
    public String result() {
      return result;
    }

    /** Returns why it is no acceptance; empty where there is nothing to say. */
    public String reason() {
      return reason;
    }
  }

  private final Map<Outcome, LongAdder> counts = new EnumMap<>(Outcome.class);

  public Attempts() {
    for (Outcome outcome : Outcome.values()) {
      counts.put(outcome, new LongAdder());
    }
  }

  public void count(Outcome outcome) {
    counts.getOrDefault(outcome, new LongAdder()).increment();
  }

  /** Counts what servers answered, or that none did. Returns the answer. */
  public RealmAnswer count(Asked asked, RealmAnswer answer) {
    count(asked.isDecidable() ? outcome(answer) : Outcome.MALFORMED);
    return answer;
  }

  private static Outcome outcome(RealmAnswer answer) {
    return switch (answer) {
      case Accepted accepted -> Outcome.ACCEPTED;
      case Rejected rejected -> Outcome.REFUSED;
      case Challenged challenged -> Outcome.CHALLENGED;
      case Unknown unknown -> Outcome.NO_ANSWER;
      case Unavailable(boolean isReached) -> isReached ? Outcome.NOT_DECIDED : Outcome.NOT_REACHED;
    };
  }

  public long of(Outcome outcome) {
    return counts.getOrDefault(outcome, new LongAdder()).sum();
  }
}
