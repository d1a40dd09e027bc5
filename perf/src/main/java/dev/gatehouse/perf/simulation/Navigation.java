package dev.gatehouse.perf.simulation;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.doIfOrElse;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Browser;
import dev.gatehouse.perf.http.FilledForm;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** A navigation by Gatling as {@link Browser} does it: follows redirects and submits each form until a goal is reached. */
public final class Navigation {

  private static final int MOST_STEPS = 14;
  private static final String FORM = "application/x-www-form-urlencoded";

  private Navigation() {}

  /** @param url the first page, in Gatling's expression language */
  public static ChainBuilder open(String url, Browser.Goal goal) {
    return exec(session -> session.setAll(Map.of("next", "", "form", "", "from", "", "steps", 0)))
        .exec(request(http("page").get(url)))
        .exec(session -> follow(session.set("at", url), goal))
        .exec(
            asLongAs(session -> !session.isFailed() && !session.getString("next").isEmpty())
                .on(
                    doIfOrElse(session -> session.getString("form").isEmpty())
                        .then(request(http("page").get("#{next}")))
                        .orElse(
                            request(
                                http("form").post("#{next}").header("Origin", "#{from}").header("Content-Type", FORM)
                                    .body(StringBody("#{form}")))),
                    exec(session -> follow(session.set("at", session.getString("next")), goal))));
  }

  private static ChainBuilder request(HttpRequestActionBuilder request) {
    return exec(
        request
            .disableFollowRedirect()
            .check(
                status().in(200, 302, 303).saveAs("status"),
                header("Location").withDefault("").saveAs("location"),
                bodyString().withDefault("").saveAs("body")));
  }

  /** The answer to the last request. */
  public static Answer answer(Session session) {
    return new Answer(session.getInt("status"), session.getString("location"), List.of(), "", session.getString("body"));
  }

  private static Session follow(Session session, Browser.Goal goal) {
    if (session.isFailed()) {
      return session;
    }
    String at = session.getString("at");
    Answer answer = answer(session);
    if (goal.isReached(at, answer)) {
      return session.set("next", "");
    }
    int steps = session.getInt("steps") + 1;
    if (steps > MOST_STEPS) {
      return session.markAsFailed();
    }
    if (!answer.location().isEmpty()) {
      return session.setAll(
          Map.of("next", Browser.absolute(at, answer.location()), "form", "", "steps", steps));
    }
    try {
      Map<String, String> typed = Map.of("username", session.getString("name"), "password", session.getString("password"));
      FilledForm form = FilledForm.of(answer.body(), typed);
      return session.setAll(
          Map.of(
              "next", Browser.absolute(at, form.target()), "form", form.body(), "from", Browser.origin(at), "steps", steps));
    } catch (IOException e) {
      return session.markAsFailed();
    }
  }
}
