package dev.gatehouse.gateway.console.node;

import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.gateway.admin.node.NodesEndpoint;
import dev.gatehouse.gateway.admin.node.NodesEndpoint.MemberView;
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

  private static final String HERE = "nodes";
  private static final String PATH = Address.CONSOLE + HERE;
  private static final String DRAIN = PATH + "/drain";
  private static final Set<String> DONE = Set.of("drained", "back");

  /** @param state the word of the texts */
  private record Line(MemberView node, String state, String href) {
    static Line of(MemberView node) {
      String state = !node.running() ? "gone" : node.draining() ? "drained" : "serving";
      return new Line(node, state, Address.with(DRAIN, "index", String.valueOf(node.index())));
    }
  }

  private final NodesEndpoint endpoint;
  private final ConsolePages pages;

  NodePages(NodesEndpoint endpoint, ConsolePages pages) {
    this.endpoint = endpoint;
    this.pages = pages;
  }

  @GetMapping
  @RequiresRole(AdministratorRole.VIEWER)
  ResponseEntity<byte[]> list(
      @RequestAttribute(ConsoleRequest.ATTRIBUTE) ConsoleRequest request,
      @RequestParam(name = "done", defaultValue = "") String done) {
    Map<String, Object> model = new HashMap<>();
    model.put("lines", endpoint.all().nodes().stream().map(Line::of).toList());
    model.put("mayDrain", request.rights().mayEverywhere(AdministratorRole.OPERATOR));
    model.put("done", Optional.of(done).filter(DONE::contains));
    return pages.show(request, HERE, "console-nodes", model);
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
