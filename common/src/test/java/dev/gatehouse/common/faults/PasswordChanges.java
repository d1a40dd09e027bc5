package dev.gatehouse.common.faults;

import dev.gatehouse.common.faults.Fact.Kind;
import dev.gatehouse.common.faults.Fact.Verdict;
import dev.gatehouse.common.faults.Visitor.Page;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** People whose passwords are changed at the provider of the directory, and who then log in. */
final class PasswordChanges {

  private final String app;
  private final Directories directories;
  private final Ledger ledger;
  private final Supplier<Visitor> visitors;
  private final AtomicInteger next = new AtomicInteger();

  PasswordChanges(String app, Directories directories, Ledger ledger, Supplier<Visitor> visitors) {
    this.app = app;
    this.directories = directories;
    this.ledger = ledger;
    this.visitors = visitors;
  }

  /** Changes the password of the next person; the replicas have it before it counts as a fact. */
  void change() throws IOException {
    int index = next.getAndIncrement();
    if (index >= Directories.CHANGING) {
      return;
    }
    String changed = "changed " + index;
    directories.changePassword(index, changed);
    String name = Directories.name(index);
    ledger.add(
        new Fact(Kind.PASSWORD, false) {
          @Override
          Verdict ask() throws IOException {
            if (isAccepted(name, Directories.FIRST_PASSWORD)) {
              return Verdict.WRONGLY_ACCEPTED;
            }
            return isAccepted(name, changed) ? Verdict.KEPT : Verdict.LOST;
          }
        });
  }

  private boolean isAccepted(String name, String password) throws IOException {
    Visitor visitor = visitors.get();
    Page form = visitor.browse(app, Map.of(), page -> false);
    Page answer = visitor.submit(form, Map.of("username", name, "password", password));
    if (answer.status() == 429) {
      throw new Visitor.Unavailable("Too many wrong passwords.");
    }
    return !answer.asksForPassword();
  }
}
