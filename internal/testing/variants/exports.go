package variants

import (
	"fmt"

	"github.com/lanes-go/lanes/table"
)

// exports has whole tables as programs of offices write them, with several marks at once.
func exports(add adder) {
	bank := func(m *maker) (truth, file Table) {
		truth = m.table(
			m.times("Buchungstag", isoDay, 1500), m.amounts("Saldo", 2), m.numbers("Betrag", -2500, 2500, 2), m.numbers("Zinssatz", 0.1, 4.9, 2),
			m.words("Filiale", "München", "Köln", "Düsseldorf"), m.words("PLZ", "01067", "04109", "50667", "80331"), m.words("Bemerkung", "NA", "keine", "neu"),
		).named("y", "Gekündigt")
		file = truth.layout("Buchungstag", "02.01.2006").with("Saldo", withMarks(",", ".")).with("Betrag", withMarks(",", ".")).with("Zinssatz", withMarks(",", ""))
		return truth, file
	}
	sales := func(m *maker) (truth, file Table) {
		id := Column{Name: "Order ID", Kind: table.Ignore}
		for k := range m.rows {
			id.Cells = append(id.Cells, fmt.Sprintf("%08d", 170001+3*k))
		}
		truth = m.table(
			m.times("Order Date", isoTime, 1000), m.words("Zip", "02134", "10001", "94103"), m.amounts("Unit Price", 2),
			m.numbers("Discount", 0, 40, 0), m.amounts("Units", 0), m.words("Segment", "Consumer", "Corporate", "Home Office"),
		).named("y", "Returned").insert(0, id)
		dollars := func(n string) string { return "$" + marked(n, ".", ",") }
		file = truth.layout("Order Date", "1/2/2006 15:04").with("Unit Price", dollars).with("Units", withMarks(".", ",")).with("Discount", func(n string) string { return n + "%" })
		return truth, file
	}
	add("a German bank", func(m *maker) Case {
		truth, file := bank(m)
		return csv(truth, semicolon.text(file), "Buchungstag", "Saldo", "Betrag", "Zinssatz")
	})
	add("a German bank, empty cells", func(m *maker) Case {
		truth, file := bank(m)
		rows, others := m.few(), m.few()
		return csv(truth.put("Saldo", "", rows).put("Filiale", "", others), semicolon.text(file.put("Saldo", "", rows).put("Filiale", "", others)), "Saldo", "Filiale")
	})
	add("sales in dollars", func(m *maker) Case {
		truth, file := sales(m)
		c := csv(truth, dialect{}.text(file), "Order ID", "Order Date", "Zip", "Unit Price", "Discount", "Units")
		c.Notes = []Said{leftOut("Order ID"), converted("Unit Price"), converted("Discount")}
		return c
	})
	add("sales in dollars, scored later", func(m *maker) Case {
		truth, file := sales(m)
		c := csv(truth, dialect{}.text(file), "Order ID", "Order Date", "Zip", "Unit Price", "Discount", "Units")
		return c.scoring("new.csv", dialect{}.text(file.first(3)), truth.first(3)).may(leftOut("Order ID"))
	})
}
