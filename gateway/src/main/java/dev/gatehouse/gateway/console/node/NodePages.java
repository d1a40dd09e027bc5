package dev.gatehouse.gateway.console.node;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.node.NodesEndpoint;
import dev.gatehouse.gateway.admin.node.NodesEndpoint.MemberView;
import dev.gatehouse.gateway.admin.node.OtpServersEndpoint;
import dev.gatehouse.gateway.admin.node.OtpServersEndpoint.LagView;
import dev.gatehouse.gateway.admin.node.OtpServersEndpoint.ServerView;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RequiresRole;
import dev.gatehouse.gateway.console.Address;
import dev.gatehouse.gateway.console.ConsolePages;
import dev.gatehouse.gateway.console.ConsolePages.Question;
import dev.gatehouse.gateway.console.ConsoleRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /console/nodes}: the nodes that share their stores, drained and brought back. */
@Controller
@RequestMapping("/console/nodes")
final class NodePages {

  private static final Logger LOG = LoggerFactory.getLogger(NodePages.class);

  private static final String HERE = "nodes";
  private static final String PATH = Address.CONSOLE + HERE;
  private static final String DRAIN = PATH + "/drain";

  /** The words of the texts. */
  private static final Set<String> STATES = Set.of("primary", "replica", "copying", "behind", "outdated", "replaced", "starting");

  private static final Set<String> DONE = Set.of("drained", "back");

  /** @param state the word of the texts */
  private record Line(MemberView node, String state, String href) {
    static Line of(MemberView node) {
      String state = !node.running() ? "gone" : node.draining() ? "drained" : "serving";
      return new Line(node, state, Address.with(DRAIN, "index", String.valueOf(node.index())));
    }
  }

  /**
   * A server of one-time passwords.
   *
   * @param view empty if the database does not answer
   * @param isWell whether it checks passcodes, as far as is known here
   */
  private record OtpLine(Optional<ServerView> view, String state, boolean isWell) {

    static final OtpLine AWAY = new OtpLine(Optional.empty(), "away", false);

    static OtpLine of(ServerView view) {
      boolean isPrimary = view.role().equals("primary");
      boolean isLost = view.lag().filter(LagView::lost).isPresent();
      String state = isLost ? "lost" : view.isolatedSince().isPresent() ? "isolated" : told(view, isPrimary);
      return new OtpLine(Optional.of(view), state, state.equals("primary") || state.equals("replica") && view.connected());
    }

    private static String told(ServerView view, boolean isPrimary) {
      String untold = isPrimary ? "primary" : view.connected() ? "replica" : "silent";
      return STATES.contains(view.state()) ? view.state() : untold;
    }
  }

  private final NodesEndpoint endpoint;
  private final OtpServersEndpoint otp;
  private final ConsolePages pages;

  NodePages(NodesEndpoint endpoint, OtpServersEndpoint otp, ConsolePages pages) {
    this.endpoint = endpoint;
    this.otp = otp;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @RequestParam(name = "done", defaultValue = "") String done) {
    Map<String, Object> model = new HashMap<>();
    model.put("lines", endpoint.all().nodes().stream().map(Line::of).toList());
    model.put("otp", otp());
    model.put("mayDrain", request.rights().mayEverywhere(AdministratorRole.OPERATOR));
    model.put("done", Optional.of(done).filter(DONE::contains));
    return pages.show(request, HERE, "console-nodes", model);
  }

  /** The database of the servers may be away, and with it what they told. */
  private List<OtpLine> otp() {
    try {
      return otp.all().servers().stream().map(OtpLine::of).toList();
    } catch (DataAccessException e) {
      LOG.debug("What servers of one-time passwords told cannot be read", e);
      return List.of(OtpLine.AWAY);
    }
  }

  /** Says what happens to whom, before a node is drained or brought back. */
  @GetMapping("/drain")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> question(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request, @RequestParam("index") int index) {
    MemberView node = endpoint.running(index);
    String what = node.draining() ? "node-undrain" : "node-drain";
    List<String> others =
        endpoint.all().nodes().stream()
            .filter(other -> other.running() && !other.draining() && other.index() != index)
            .map(other -> other.index() + " · " + other.host())
            .toList();
    Map<String, String> fields = Map.of("index", String.valueOf(index), "to", node.draining() ? "back" : "drain");
    return pages.ask(
        request, HERE, new Question(what, index + " (" + node.host() + ")", Optional.empty(), others, DRAIN, fields, PATH));
  }

  @PostMapping("/drain")
  @RequiresRole(AdministratorRole.OPERATOR)
  ResponseEntity<byte[]> drain(@RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request) {
    int index =
        request
            .field("index")
            .filter(text -> text.matches("[0-9]{1,5}"))
            .map(Integer::parseInt)
            .orElseThrow(() -> new NotFound("There is no such node."));
    if (request.field("to").filter("back"::equals).isPresent()) {
      endpoint.undrain(index, request.rights().administrator());
      return pages.seeOther(PATH + "?done=back");
    }
    endpoint.drain(index, request.rights().administrator());
    return pages.seeOther(PATH + "?done=drained");
  }
}
