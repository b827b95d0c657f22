// Package models has two tables more for the demo: drop this file on the studio.
package models

import "time"

// Reader borrows books.
type Reader struct {
	ID    uint
	Name  string `gorm:"size:80;not null"`
	Loans []Loan
}

// Loan is a book in a reader's hands.
type Loan struct {
	ID         uint
	ReaderID   uint
	Title      string `gorm:"size:160;not null"`
	DueAt      time.Time
	ReturnedAt *time.Time
}
