package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import dev.gatehouse.common.faults.Visitor.Page;
import java.io.IOException;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ends of sessions that every node has in its memory. Somebody who has stolen the cookies tries them at each node as soon as the end was
 * acknowledged: a node that cannot have heard of it is the one that still accepts them.
 */
final class Logouts {

  /** Enough for the first seconds of a fault in which nobody logs in. */
  private static final int STOCK = 24;
  private static final int FILL_MILLIS = 500;
  private static final int CALM_MILLIS = 1_000;
  private static final int HURRIED_MILLIS = 200;
  /** The first page is read from the store, and the next one comes from memory. */
  private static final int PAGES = 2;
  private static final Pattern FRAME = Pattern.compile("<iframe class=\"status\" src=\"([^\"]*)\"");
  private static final String LOGOUT = "/.gatehouse/logout";
  /** What a receipt has if a session was ended; most often there is a redirect to the identity provider instead. */
  private static final String ENDED = "class=\"rows\"";

  /** Logs somebody in at the app. */
  interface Logins {
    Visitor next() throws IOException;
  }

  /**
   * Those who log in.
   *
   * @param isApp whether a page is the app's, served to them
   * @param signOn see {@link CookieTrials.Nodes}
   */
  record People(Logins logins, Predicate<Page> isApp, String signOn) {}

  private final Site site;
  /** Where stolen cookies are tried. */
  private final CookieTrials stolen;
  /** Where people themselves ask: a node that is slow for them may well go by its memory for a thief. */
  private final CookieTrials own;
  private final SingleNodes ownGateways;
  private final Ledger ledger;
  private final People people;
  private final Deque<Visitor> known = new ConcurrentLinkedDeque<>();
  private volatile boolean isHurried;

  Logouts(Site site, Requests requests, Ledger ledger, People people) {
    this.site = site;
    CookieTrials.Nodes nodes =
        new CookieTrials.Nodes(site.app(), site.gatewayPorts(), site.realm(), site.idpPorts(), people.signOn());
    this.stolen = new CookieTrials(nodes, requests, site::isRunning);
    this.own = new CookieTrials(nodes, requests, site::isRunning);
    this.ownGateways = new SingleNodes(site.app(), site.gatewayPorts(), requests);
    this.ledger = ledger;
    this.people = people;
  }

  /** Returns somebody whose sessions every node that answers has in its memory. One that answers has to accept them, see the trials. */
  private Visitor known() throws IOException {
    Visitor visitor = people.logins().next();
    List<String> refusals = List.of();
    for (int i = 0; i < PAGES; i++) {
      refusals = own.refusedPages(visitor);
    }
    refusals.forEach(ledger::unexpected);
    return visitor;
  }

  /** From now on each node that runs has to answer. */
  void askEach() {
    stolen.askEach();
  }

  /** Logs in and out at the identity provider; the logout counts for the app as well, if the page says so. */
  void everywhere() throws IOException {
    Visitor visitor = known();
    Visitor thief = visitor.copy();
    Page question = visitor.get(site.realm() + "/logout");
    Page page = visitor.submit(question, Map.of());
    if (!page.location().isEmpty()) {
      page = visitor.get(page.url().resolve(page.location()).toString());
    }
    boolean everywhere = page.body().contains("has confirmed it");
    Matcher frame = FRAME.matcher(page.body());
    if (frame.find()) {
      everywhere = isEndedEverywhere(visitor, page.url().resolve(Visitor.text(frame.group(1))).toString());
    } else if (!everywhere && !page.body().contains("Your session here has ended")) {
      throw new IllegalStateException("No logout: " + page);
    }
    if (!everywhere) {
      thief.without(site.appHost());
    }
    boolean ofApp = everywhere;
    ended(
        new Fact(Kind.LOGOUT, true) {
          @Override
          Verdict ask() throws IOException {
            return worst(
                () -> ofApp ? stolen.page(this, thief) : Verdict.KEPT, () -> stolen.question(this, thief), () -> stolen.signOn(thief),
                () -> newSignOn(thief));
          }
        });
  }

  private static boolean isEndedEverywhere(Visitor visitor, String status) throws IOException {
    for (int i = 0; i < 20; i++) {
      String body = visitor.get(status).body();
      if (!body.contains("being notified")) {
        return !body.contains("could not") && !body.contains("not reachable") && !body.contains("no answer");
      }
      pause(100);
    }
    return false;
  }

  private static void pause(int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Without the app's session: a new sign-on with that of the identity provider is never late, it is a session that stays. */
  private Verdict newSignOn(Visitor thief) throws IOException {
    Page shown = thief.copy().without(site.appHost()).browse(site.app(), Map.of(), people.isApp());
    return shown.asksForPassword() ? Verdict.KEPT : Verdict.WRONGLY_ACCEPTED;
  }

  /** Logs in as many as are needed in the first seconds of a fault, or fewer if nodes do not answer yet. */
  void prepare() {
    for (int i = 0; i < STOCK && known.size() < STOCK / 2; i++) {
      try {
        Visitor visitor = known();
        known.add(visitor);
        own.refusedSignOns(visitor).forEach(ledger::unexpected);
      } catch (IOException e) {
        pause(HURRIED_MILLIS);
      }
    }
  }

  /** People leave more often from now on: it is the time that is judged. */
  void hurry() {
    isHurried = true;
  }

  /** Logs somebody in who will leave. There is a stock, so that people leave while a fault keeps everybody from logging in. */
  void fill() throws IOException {
    pause(isHurried ? FILL_MILLIS : 0);
    if (known.size() < STOCK) {
      known.add(known());
    }
  }

  /** Ends a session at the app of one node. */
  void leave(int node) throws IOException {
    pause(isHurried ? HURRIED_MILLIS : CALM_MILLIS);
    // Before the fault the stock grows.
    Visitor visitor = isHurried || known.size() >= STOCK / 2 ? known.poll() : null;
    if (visitor == null) {
      return;
    }
    Optional<SingleNodes.Answer> answer = ownGateways.get(node, LOGOUT, visitor);
    if (answer.isEmpty() || answer.get().isUnavailable()) {
      // It may have ended or not. The stock is for nodes that answer.
      pause(CALM_MILLIS);
      return;
    }
    if (answer.get().status() == 200 && !answer.get().body().contains(ENDED)) {
      throw new IllegalStateException("A node does not know a session that nobody has ended.");
    }
    Visitor thief = visitor.copy();
    ended(
        new Fact(Kind.LOGOUT, true) {
          @Override
          Verdict ask() throws IOException {
            return stolen.page(this, thief);
          }

          @Override
          boolean isQuick() {
            return true;
          }
        });
  }

  /** Keeps the fact, and tries the cookie at once at every node, twice. */
  private void ended(Fact fact) {
    ledger.add(fact);
    ledger.check(fact);
    ledger.check(fact);
  }
}
