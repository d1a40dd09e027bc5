package dev.gatehouse.common.otp;

/** Uses of tokens that their rows do not have yet. */
public interface WaitingUses {

  /** None: rows have all uses that were kept. */
  WaitingUses NONE =
      new WaitingUses() {
        @Override
        public Token current(String realm, Token row) {
          return row;
        }

        @Override
        public Tokens tokens(Tokens rows) {
          return rows;
        }

        @Override
        public void writeAll() {}
      };

  /** Returns tokens whose uses wait here; those of the rows, if none wait. */
  Tokens tokens(Tokens rows);

  /** Returns the token as it is after the use that its row does not have. */
  Token current(String realm, Token row);

  /** Writes all of them to their rows, before rows are counted or copied. */
  void writeAll();
}
