package dev.gatehouse.common.realm;

import dev.gatehouse.common.group.GroupName;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Logins by the passcode of a token: PIN and code in one field.
 *
 * @param pin what a PIN may be
 * @param nextCodeAfter wrong passcodes in a row after which two successive codes are asked for
 * @param lockAfter wrong passcodes in a row after which the person is locked
 * @param lockFor how long; until an administrator unlocks the person if absent
 * @param people how the register of people follows the directory; there is none if absent
 * @param access who may come in at which agents, and when
 * @param deskExpiry how far ahead a help desk may set the end of a token
 */
public record TokenLogin(
    Pin pin,
    int nextCodeAfter,
    int lockAfter,
    Optional<Duration> lockFor,
    Optional<People> people,
    List<Access> access,
    Duration deskExpiry) {

  /** How far ahead a help desk may set the end of a token where nothing is configured. */
  public static final Duration USUAL_DESK_EXPIRY = Duration.ofDays(90);

  /** The settings where nothing is configured. */
  public static final TokenLogin USUAL =
      new TokenLogin(new Pin(4, 8, false, 3, ChosenBy.PERSON), 3, 10, Optional.of(Duration.ofMinutes(30)));

  /** Creates settings without a register of people, and with every agent open to everybody. */
  public TokenLogin(Pin pin, int nextCodeAfter, int lockAfter, Optional<Duration> lockFor) {
    this(pin, nextCodeAfter, lockAfter, lockFor, Optional.empty(), List.of(), USUAL_DESK_EXPIRY);
  }

  /**
   * What a PIN may be.
   *
   * @param least number of characters
   * @param most number of characters
   * @param letters whether letters count beside digits
   * @param former how many PINs, with the present one, cannot be chosen again
   * @param chosenBy who chooses a new one
   */
  public record Pin(int least, int most, boolean letters, int former, ChosenBy chosenBy) {}

  /** Who chooses a new PIN. */
  public enum ChosenBy {
    PERSON,
    /** The server makes it and shows it once. */
    SERVER,
    /** The server proposes one, and the person may choose another. */
    EITHER
  }

  /**
   * The register of people who may have tokens, as a synchronisation reads them from the directory.
   *
   * @param base below which they are; the directory's base if absent
   * @param filter which they match beside the directory's own; every person if absent
   * @param displayName the attribute with the name for help desks
   * @param mail the attribute with the mail address
   * @param groups the attribute with the DNs of groups; groups are not read if absent
   * @param every how often the register follows the directory by itself; never if absent
   * @param mayDisable how many people a synchronisation may disable
   */
  public record People(
      Optional<String> base,
      Optional<String> filter,
      String displayName,
      String mail,
      Optional<String> groups,
      Optional<Duration> every,
      Limit mayDisable) {}

  /** A number of people, or a share of all of them in percent. */
  public record Limit(int number, boolean isShare) {

    /** Returns how many people of so many it is; a share is rounded up, so that one of few may go. */
    public long of(long all) {
      return isShare ? Math.ceilDiv(all * number, 100) : number;
    }

    /** Reads a number like {@code 20}, or a share like {@code 5%}. */
    public static Optional<Limit> parse(String text) {
      boolean share = text.endsWith("%");
      String digits = share ? text.substring(0, text.length() - 1) : text;
      return digits.matches("[0-9]{1,7}") && !(share && Integer.parseInt(digits) > 100)
          ? Optional.of(new Limit(Integer.parseInt(digits), share))
          : Optional.empty();
    }

    @Override
    public String toString() {
      return isShare ? number + "%" : String.valueOf(number);
    }
  }

  /**
   * Who may come in at some agents, and when.
   *
   * @param agents as passcodes know them: {@code radius:NAME} and {@code agent:ID}
   * @param groups the person is in one of these; anybody if there are none
   * @param times all of them hold; at any time if there are none
   */
  public record Access(Set<String> agents, Set<String> groups, List<Condition.Times> times) {

    boolean admits(List<String> ofPerson, Instant now) {
      return GroupName.permits(groups, ofPerson) && times.stream().allMatch(time -> time.holds(now));
    }
  }

  /** Returns whether a rule about the agent names groups. */
  public boolean looksAtGroups(String agent) {
    return access.stream().anyMatch(rule -> rule.agents().contains(agent) && !rule.groups().isEmpty());
  }

  /** Returns whether a person of these groups may come in at the agent now: always, unless a rule is about the agent. */
  public boolean admits(String agent, List<String> groups, Instant now) {
    List<Access> rules = access.stream().filter(rule -> rule.agents().contains(agent)).toList();
    return rules.isEmpty() || rules.stream().anyMatch(rule -> rule.admits(groups, now));
  }
}
