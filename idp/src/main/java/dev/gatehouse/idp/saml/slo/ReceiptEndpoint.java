package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import dev.gatehouse.idp.saml.slo.RunningLogout.Initiator;
import dev.gatehouse.idp.saml.slo.RunningLogout.Target;
import dev.gatehouse.idp.session.IdpSessions;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The page of a logout. While participants are being notified, it contains a frame for each and one that shows the
 * progress. When all have answered, or the time is up, it shows which participants were notified, and continues to the
 * initiator of the logout. It needs no script: it reloads itself when the time is up. {@code part=status} is the frame
 * with the progress. Another browser than that of the session is told nothing of the participants.
 */
final class ReceiptEndpoint implements Endpoint {

  /**
   * One participant, as the templates show it.
   *
   * @param frame the address that a frame loads, and that the plain link repeats
   * @param framed whether a frame of the page loads it
   * @param linked whether to offer the link
   */
  private record Line(String name, ParticipantStatus outcome, String frame, boolean framed, boolean linked) {}

  private final Logouts logouts;
  private final LogoutMessages messages;
  private final IdpSessions sessions;
  private final Pages pages;
  private final Refusals refusals;
  private final InstantSource clock;

  ReceiptEndpoint(
      Logouts logouts, LogoutMessages messages, IdpSessions sessions, Pages pages, Refusals refusals, InstantSource clock) {
    this.logouts = logouts;
    this.messages = messages;
    this.sessions = sessions;
    this.pages = pages;
    this.refusals = refusals;
    this.clock = clock;
  }

  @Override
  public EdgeReply handle(RealmRequest request) {
    Parameters query = request.http().queryParameters();
    String id = query.one("id").orElse("");
    Optional<RunningLogout> found = logouts.find(request, id);
    if (found.isEmpty()) {
      return refusals.page(request, 400, "expired", "NO_SUCH_LOGOUT");
    }
    RunningLogout logout = found.get();
    if (!new LogoutId(id).isFor(sessions.token(request).map(SessionToken::id))) {
      return elsewhere(request, id, logout);
    }
    List<ParticipantStatus> outcomes = logouts.outcomes(id, logout);
    String part = query.one("part").orElse("");
    if (part.equals("status")) {
      return status(request, id, logout, outcomes);
    }
    if (outcomes.contains(ParticipantStatus.WAITING)) {
      return running(request, id, logout, outcomes);
    }
    logouts.close(request, id, logout, outcomes);
    boolean goOn = isComplete(outcomes) || logout.isRead(clock.instant()) || part.equals("continue");
    return logout
        .initiator()
        .filter(initiator -> goOn)
        .flatMap(initiator -> redirect(request, initiator, outcomes))
        .orElseGet(() -> result(request, id, logout, outcomes));
  }

  /** Elsewhere the servers notify the participants, which the page would list, and the browser only returns to the initiator. */
  private EdgeReply elsewhere(RealmRequest request, String id, RunningLogout logout) {
    List<ParticipantStatus> outcomes = logouts.leaveToServers(request, id, logout);
    boolean isWaiting = outcomes.contains(ParticipantStatus.WAITING);
    Page.Policy policy = new Page.Policy(List.of(), List.of(), false, isWaiting ? 1 : 0);
    return logout
        .initiator()
        .filter(initiator -> !isWaiting)
        .flatMap(initiator -> redirect(request, initiator, outcomes))
        .orElseGet(() -> render(request, 200, "slo-done", Map.of(), policy));
  }

  private EdgeReply running(RealmRequest request, String id, RunningLogout logout, List<ParticipantStatus> outcomes) {
    // The origins of the frames, and ours: answers return to publicUrl, and the progress is at this origin.
    List<String> frames =
        Stream.concat(
                logout.targets().stream()
                    .flatMap(target -> target.framed().stream())
                    .map(to -> Origin.of(URI.create(to.location())).toString()),
                Stream.of(request.origin().toString(), Origin.of(request.idp().publicUrl()).toString()))
            .distinct()
            .toList();
    Map<String, Object> model = model(request, id, logout, outcomes);
    model.put("status", address(request, id) + "&part=status");
    Duration left = Duration.between(clock.instant(), logout.startedAt().plus(RunningLogout.ANSWER_TIMEOUT));
    int refresh = (int) Math.max(1, left.toSeconds() + 1);
    return render(request, 200, "slo-running", model, new Page.Policy(frames, List.of(), false, refresh));
  }

  /** When no participant is pending any more, the frame reloads the surrounding page, if scripts run. */
  private EdgeReply status(RealmRequest request, String id, RunningLogout logout, List<ParticipantStatus> outcomes) {
    List<String> framedBy = List.of(request.origin().toString());
    if (outcomes.contains(ParticipantStatus.WAITING)) {
      Page.Policy policy = new Page.Policy(List.of(), framedBy, false, 1);
      return render(request, 200, "slo-status", model(request, id, logout, outcomes), policy);
    }
    Map<String, Object> model = Map.of("receipt", request.here("logout/receipt"), "id", id);
    return render(request, 200, "slo-continue", model, new Page.Policy(List.of(), framedBy, true, 0));
  }

  private EdgeReply result(RealmRequest request, String id, RunningLogout logout, List<ParticipantStatus> outcomes) {
    Map<String, Object> model = model(request, id, logout, outcomes);
    boolean goesOn = logout.initiator().filter(Initiator::isWaiting).isPresent();
    model.put("continue", goesOn ? Optional.of(address(request, id) + "&part=continue") : Optional.empty());
    Instant end = logout.startedAt().plus(RunningLogout.ANSWER_TIMEOUT).plus(RunningLogout.RESULT_SHOWN);
    int refresh = goesOn ? (int) Math.max(1, Duration.between(clock.instant(), end).toSeconds() + 1) : 0;
    return render(request, 200, "slo-result", model, new Page.Policy(List.of(), List.of(), false, refresh));
  }

  private Optional<EdgeReply> redirect(RealmRequest request, Initiator initiator, List<ParticipantStatus> outcomes) {
    return initiator
        .returnTo()
        .map(EdgeReply::seeOther)
        .or(() -> initiator.answer().map(to -> answer(request, initiator, to, outcomes)));
  }

  private EdgeReply answer(RealmRequest request, Initiator initiator, Destination to, List<ParticipantStatus> outcomes) {
    return messages.answer(request, initiator, to, LogoutMessages.status(outcomes));
  }

  private static boolean isComplete(List<ParticipantStatus> outcomes) {
    return outcomes.stream().allMatch(ParticipantStatus::isSettled);
  }

  private Map<String, Object> model(RealmRequest request, String id, RunningLogout logout, List<ParticipantStatus> outcomes) {
    List<Line> lines = new ArrayList<>();
    for (int i = 0; i < outcomes.size(); i++) {
      String frame = request.here("logout/frame") + "?id=" + id + "&n=" + i;
      Target target = logout.targets().get(i);
      ParticipantStatus outcome = outcomes.get(i);
      boolean framed = outcome == ParticipantStatus.WAITING && target.framed().isPresent();
      boolean linked = !outcome.isSettled() && target.ways().front().isPresent();
      lines.add(new Line(target.name(), outcome, frame, framed, linked));
    }
    Map<String, Object> model = new HashMap<>();
    model.put("lines", lines);
    model.put("complete", isComplete(outcomes));
    model.put("retried", outcomes.stream().anyMatch(ParticipantStatus::isRetried));
    model.put("height", 76 * lines.size() + 2);
    return model;
  }

  private EdgeReply render(
      RealmRequest request, int status, String template, Map<String, Object> model, Page.Policy policy) {
    return pages.render(request.http(), Optional.of(request.realm()), new Page(status, template, model, policy));
  }

  private static String address(RealmRequest request, String id) {
    return request.here("logout/receipt") + "?id=" + id;
  }
}
