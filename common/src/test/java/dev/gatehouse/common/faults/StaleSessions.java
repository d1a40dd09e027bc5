package dev.gatehouse.common.faults;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a site does while no store answers for longer than {@code staleness}.
 *
 * @param served pages of known sessions within {@code staleness}
 * @param refused pages of them that were refused within it
 * @param servedFor how long the last of them was served after the outage began
 * @param servedAfter pages of them that were served after that, which nobody should be
 * @param logins that succeeded in the outage, which nobody should; any answer but a login and our honest page ends the trial
 * @param leaverServed how many of ten pages got the person who logged out in the outage: one of two nodes knows it
 * @param leaverServedLater how many of ten pages after the outage, once others are served again
 * @param back from the end of the outage until all sessions were served again
 * @param lost sessions that were not
 */
public record StaleSessions(
    int served, int refused, Duration servedFor, int servedAfter, int logins, int leaverServed, int leaverServedLater, Duration back,
    int lost) {

  private static final int PEOPLE = 6;
  private static final int ASKED = 10;
  private static final Duration GRACE = Duration.ofSeconds(4);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** Stops Valkey for longer than {@code staleness}. */
  public static StaleSessions of(Site site, Duration staleness) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      return new Run(site, new Journeys(site, client, new Requests(), new Ledger())).run(staleness);
    }
  }

  private static final class Run {

    private final Site site;
    private final Journeys journeys;
    private final List<Visitor> people = new ArrayList<>();

    Run(Site site, Journeys journeys) {
      this.site = site;
      this.journeys = journeys;
    }

    StaleSessions run(Duration staleness) throws Exception {
      for (int i = 0; i < PEOPLE; i++) {
        people.add(known());
      }
      Visitor leaver = known();
      site.valkey().signal("STOP");
      long start = System.nanoTime();
      int served = 0;
      int refused = 0;
      int servedAfter = 0;
      int logins = 0;
      int leaverServed = -1;
      long last = start;
      while (System.nanoTime() - start < staleness.plus(GRACE).toNanos()) {
        boolean within = System.nanoTime() - start < staleness.toNanos();
        for (Visitor visitor : people) {
          if (isServed(visitor)) {
            served += within ? 1 : 0;
            last = System.nanoTime();
          } else {
            refused += within ? 1 : 0;
          }
        }
        if (leaverServed < 0 && System.nanoTime() - start > staleness.toNanos() / 4) {
          leave(leaver.copy());
          leaverServed = pages(leaver);
          logins += isLoggedIn() ? 1 : 0;
        }
        Thread.sleep(Duration.ofMillis(200));
      }
      for (int i = 0; i < ASKED; i++) {
        servedAfter += isServed(people.get(i % PEOPLE)) ? 1 : 0;
      }
      site.valkey().signal("CONT");
      long end = System.nanoTime();
      while (!people.stream().allMatch(this::isServed) && System.nanoTime() - end < LONGEST.toNanos()) {
        Thread.sleep(Duration.ofMillis(100));
      }
      Duration back = Duration.ofNanos(System.nanoTime() - end);
      int lost = (int) people.stream().filter(visitor -> !isServed(visitor)).count();
      Thread.sleep(Duration.ofSeconds(2));
      return new StaleSessions(
          served, refused, Duration.ofNanos(last - start), servedAfter, logins, leaverServed, pages(leaver), back, lost);
    }

    /** Logs somebody in, whose session both nodes then have in memory. */
    private Visitor known() throws IOException {
      Visitor visitor = journeys.session();
      for (int i = 0; i < 2 * ASKED; i++) {
        journeys.isServed(visitor);
      }
      return visitor;
    }

    /** Asks for the logout at the app; the identity provider cannot take part. */
    private void leave(Visitor visitor) {
      try {
        visitor.get(site.app() + ".gatehouse/logout");
      } catch (IOException unavailable) {
        // The session here has ended all the same, or the pages tell.
      }
    }

    private int pages(Visitor visitor) {
      int pages = 0;
      for (int i = 0; i < ASKED; i++) {
        pages += isServed(visitor) ? 1 : 0;
      }
      return pages;
    }

    private boolean isServed(Visitor visitor) {
      try {
        return journeys.isServed(visitor);
      } catch (IOException unavailable) {
        return false;
      }
    }

    private boolean isLoggedIn() {
      try {
        journeys.session();
        return true;
      } catch (IOException unavailable) {
        if (unavailable instanceof Visitor.Unavailable answer && answer.isHonest()) {
          return false;
        }
        throw new IllegalStateException("A login in the outage got no page that says so: " + unavailable.getMessage(), unavailable);
      }
    }
  }
}
