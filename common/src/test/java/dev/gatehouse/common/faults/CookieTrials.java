package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Fact.Verdict;
import dev.gatehouse.common.faults.SingleNodes.Answer;
import dev.gatehouse.common.faults.SingleNodes.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** What somebody's cookies are worth at each node, past the balancer. */
final class CookieTrials {

  private static final String PAGE = "/";
  /** The page of the identity provider that asks people whether they want to leave, if they are there. */
  private static final String QUESTION = "/realms/office/logout";
  private static final Predicate<Answer> IS_APP = answer -> answer.shows("alice");
  private static final Predicate<Answer> IS_QUESTION = answer -> answer.shows("<form method=\"post\"");
  private static final Predicate<Answer> IS_CODE = answer -> answer.location().matches(".*[?&]code=.*");
  private static final int MOST_WORDS = 100;

  /**
   * The nodes.
   *
   * @param signOn the path at the identity provider where somebody with a session gets a code at once, and anybody else none
   */
  record Nodes(String app, List<Integer> gateways, String realm, List<Integer> idps, String signOn) {}

  private final SingleNodes gateways;
  private final SingleNodes idps;
  /** With a silence of its own: a sign-on waits for a store where a page comes from memory. */
  private final SingleNodes signOns;
  private final String signOn;
  private final IntPredicate isRunning;
  private volatile boolean isEachAsked;

  /** @param isRunning whether the node with a port runs */
  CookieTrials(Nodes nodes, Requests requests, IntPredicate isRunning) {
    this.gateways = new SingleNodes(nodes.app(), nodes.gateways(), requests);
    this.idps = new SingleNodes(nodes.realm(), nodes.idps(), requests);
    this.signOns = new SingleNodes(nodes.realm(), nodes.idps(), requests);
    this.signOn = nodes.signOn();
    this.isRunning = isRunning;
  }

  /** From now on each node that runs has to answer: there is no fault any more that explains its silence. */
  void askEach() {
    isEachAsked = true;
  }

  /** Tries the app; tells the fact when a node was asked that serves the page. */
  Verdict page(Fact fact, Visitor thief) throws Visitor.Unavailable {
    return late(fact, accepting(gateways, PAGE, thief, IS_APP));
  }

  /** The same of the session of the identity provider. */
  Verdict question(Fact fact, Visitor thief) throws Visitor.Unavailable {
    return late(fact, accepting(idps, QUESTION, thief, IS_QUESTION));
  }

  private static Verdict late(Fact fact, List<Answer> accepting) {
    accepting.forEach(answer -> fact.accepted(answer.sentNanos()));
    return accepting.isEmpty() ? Verdict.KEPT : Verdict.LATE;
  }

  /** Tries a new sign-on by the session of the identity provider, which is never late: it grants what stays. */
  Verdict signOn(Visitor thief) throws Visitor.Unavailable {
    return accepting(signOns, signOn, thief, IS_CODE).isEmpty() ? Verdict.KEPT : Verdict.WRONGLY_ACCEPTED;
  }

  private List<Answer> accepting(SingleNodes nodes, String path, Visitor thief, Predicate<Answer> accepts) throws Visitor.Unavailable {
    Round round = isEachAsked ? nodes.each(path, thief, isRunning) : new Round(nodes.all(path, thief), List.of());
    List<Answer> accepting = round.answers().stream().filter(accepts).toList();
    if (accepting.isEmpty() && (round.answers().isEmpty() || !round.silent().isEmpty())) {
      throw new Visitor.Unavailable("No answer of nodes at ports " + round.silent());
    }
    return accepting;
  }

  /** Opens the pages at each node; returns the refusals of a session that nobody has ended. If there are any, trials say nothing. */
  List<String> refusedPages(Visitor visitor) {
    List<String> refusals = new ArrayList<>(refusals(gateways, PAGE, visitor, IS_APP));
    refusals.addAll(refusals(idps, QUESTION, visitor, IS_QUESTION));
    return refusals;
  }

  /** The same of sign-ons. */
  List<String> refusedSignOns(Visitor visitor) {
    return refusals(signOns, signOn, visitor, IS_CODE);
  }

  private static List<String> refusals(SingleNodes nodes, String path, Visitor visitor, Predicate<Answer> accepts) {
    return nodes.all(path, visitor).stream().filter(accepts.negate()).map(answer -> refusal(path, answer)).toList();
  }

  private static String refusal(String path, Answer answer) {
    String words = answer.location().isEmpty() ? answer.body() : answer.location();
    return "A node refuses a session that nobody has ended, at " + path.split("\\?")[0] + ": " + answer.status() + " "
        + words.substring(0, Math.min(MOST_WORDS, words.length()));
  }
}
